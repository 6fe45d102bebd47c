import { expose } from 'comlink'
import { audioHost } from '../src/models/audio/host.js'
import { browserFiles } from '../src/models/browser-files.js'

expose(audioHost(browserFiles))
