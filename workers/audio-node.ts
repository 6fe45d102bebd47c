import { workerData } from 'node:worker_threads'
import { expose, type Endpoint } from 'comlink'
import { decodeWithAudioDecode } from '../src/models/audio/decode-node.js'
import { audioHost } from '../src/models/audio/host.js'
import { nodeFiles } from '../src/models/node-files.js'

// Deno's threads have the location of a file, on which ONNX Runtime would base URLs as on that of a page.
Reflect.deleteProperty(globalThis, 'location')

expose(audioHost(nodeFiles, decodeWithAudioDecode), workerData as Endpoint)
