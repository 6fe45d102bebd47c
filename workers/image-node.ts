import { workerData } from 'node:worker_threads'
import { expose, type Endpoint } from 'comlink'
import { decodeWithSharp, encodeWithSharp } from '../src/models/image/decode-node.js'
import { imageHost } from '../src/models/image/host.js'
import { nodeFiles } from '../src/models/node-files.js'

// Deno's threads have the location of a file, on which ONNX Runtime would base URLs as on that of a page.
Reflect.deleteProperty(globalThis, 'location')

expose(imageHost(nodeFiles, decodeWithSharp, encodeWithSharp), workerData as Endpoint)
