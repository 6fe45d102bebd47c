import { workerData } from 'node:worker_threads'
import { expose, type Endpoint } from 'comlink'
import { encoderHost } from '../src/onnx/host.js'
import { nodeFiles } from '../src/onnx/node-files.js'

expose(encoderHost(nodeFiles), workerData as Endpoint)
