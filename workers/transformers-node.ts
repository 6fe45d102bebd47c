import { workerData } from 'node:worker_threads'
import { expose, type Endpoint } from 'comlink'
import { decodeWithAudioDecode } from '../src/models/audio/decode-node.js'
import { decodeWithSharp, encodeWithSharp } from '../src/models/image/decode-node.js'
import type { OpenFolder } from '../src/models/transformers/folder.js'
import { openNodeFolder } from '../src/models/transformers/folder-node.js'
import { folderHost } from '../src/models/transformers/host.js'

// Deno's threads have the location of a file, on which ONNX Runtime would base URLs as on that of a page.
Reflect.deleteProperty(globalThis, 'location')

/** Errors are thrown; to print them too would show what a memory holds. */
const open: OpenFolder = (transformers, loading) => {
  transformers.env.logLevel = transformers.LogLevel.NONE
  return openNodeFolder(transformers, loading)
}

const media = { decodeImage: decodeWithSharp, encodeImage: encodeWithSharp, decodeAudio: decodeWithAudioDecode }
expose(folderHost(open, media), workerData as Endpoint)
