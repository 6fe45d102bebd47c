import { parseCodebook } from '../../encoding/codebook/codebook.js'
import { Indexes } from '../../indexes/indexes.js'
import { kernelFrom } from '../../kernel/loading.js'
import type { EncodeHost } from './port.js'

/** The side of the wire that makes signatures. */
export function encodeHost(): EncodeHost {
  let opened: Promise<Indexes>
  return {
    async open({ kernel, codebook }) {
      // Only the WebAssembly kernel: the reference kernel would hold up more than it takes off.
      opened = kernelFrom(kernel).then((kernel) => new Indexes(kernel, codebook && parseCodebook(codebook)))
      await opened
    },
    async encode(texts, into) {
      const indexes = await opened
      const said = texts.map(([text, speaker]) => ({ text, speaker, triples: [] }))
      const encoded = indexes.encodeMany(
        said,
        said.map((one) => indexes.read(one)),
        into,
      )
      return {
        made: indexes.signatures.made(encoded),
        bytes: indexes.kernel.memoryBytes + indexes.bytes + (indexes.latents?.codebook.bytes ?? 0),
      }
    },
  }
}
