import { workerData } from 'node:worker_threads'
import { expose, type Endpoint } from 'comlink'
import { decodeWithSharp } from '../src/models/image/decode-node.js'
import { nodeFiles } from '../src/models/node-files.js'
import { clipHost } from '../src/models/video/clip-host.js'

// Deno's threads have the location of a file, on which ONNX Runtime would base URLs as on that of a page.
Reflect.deleteProperty(globalThis, 'location')

expose(clipHost(nodeFiles, decodeWithSharp), workerData as Endpoint)
