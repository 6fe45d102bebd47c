import { expose } from 'comlink'
import { browserFiles } from '../src/models/browser-files.js'
import { glinerHost } from '../src/models/gliner/host.js'
import { loadOnnxOnGpu } from '../src/models/onnx-on-gpu.js'

expose(glinerHost(browserFiles, loadOnnxOnGpu))
