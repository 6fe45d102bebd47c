import { expose } from 'comlink'
import { browserFiles } from '../src/models/browser-files.js'
import { encoderHost } from '../src/models/host.js'

expose(encoderHost(browserFiles))
