import { expose } from 'comlink'
import { browserFiles } from '../src/onnx/browser-files.js'
import { encoderHost } from '../src/onnx/host.js'

expose(encoderHost(browserFiles))
