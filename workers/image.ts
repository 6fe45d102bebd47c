import { expose } from 'comlink'
import { browserFiles } from '../src/models/browser-files.js'
import { decodeWithCanvas, encodeWithCanvas } from '../src/models/image/decode-browser.js'
import { imageHost } from '../src/models/image/host.js'

expose(imageHost(browserFiles, decodeWithCanvas, encodeWithCanvas))
