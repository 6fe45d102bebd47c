import { expose } from 'comlink'
import { browserFiles } from '../src/models/browser-files.js'
import { decodeWithCanvas } from '../src/models/image/decode-browser.js'
import { clipHost } from '../src/models/video/clip-host.js'

expose(clipHost(browserFiles, decodeWithCanvas))
