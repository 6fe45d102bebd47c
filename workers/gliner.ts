import { expose } from 'comlink'
import { browserFiles } from '../src/models/browser-files.js'
import { glinerHost } from '../src/models/gliner/host.js'

expose(glinerHost(browserFiles))
