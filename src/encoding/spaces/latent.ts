import type { Kernel } from '../../kernel/port.js'
import { SIGNATURE_BYTES } from '../../kernel/port.js'
import type { Codebook } from '../codebook/codebook.js'
import { MAKER_BYTES, mark } from '../latent.js'
import type { SignatureMaker, SignatureSpace } from './space.js'

/** Bytes of a signature after the mark of its codebook. */
export const LATENT_BYTES = MAKER_BYTES + SIGNATURE_BYTES

/** Word pieces whose latents are summed in one call, about: those of a question's candidates, 2 MiB of latents. */
export const PIECES_PER_CALL = 8_192

/** What a text means by the semantic codebook: `docs/format.md` calls it kind 3. */
export const latentSpace: SignatureSpace<'latent'> = {
  kind: 'latent',
  tag: 3,
  part: 'latents',
  identifiedBy: 'mark',
  encodedBytes: LATENT_BYTES,
  search: { isLarge: true },
  weigh: { tellsOf: 'meaning', signals: [{ name: 'meaning', weight: 0.6 }] },
  maker: ({ kernel, codebook }) => codebook && latentMaker(kernel, codebook),
  // By the memory's own weights of word pieces: see Latents.cue.
  ask: ({ made }) => ({ meaning: made.latent }),
}

/** Makes signatures of word pieces with a codebook's own weights. */
export function latentMaker(kernel: Kernel, codebook: Codebook): Required<SignatureMaker> {
  return {
    id: codebook.id,
    make: (inputs, into) =>
      piecesSignatures(
        kernel,
        codebook,
        inputs.map(({ read }) => read.pieces!),
        into,
      ),
  }
}

/**
 * The signatures of texts of these word pieces, as views of `into`, which has {@link LATENT_BYTES} for each;
 * `undefined` for a text that the codebook knows nothing of.
 */
export function piecesSignatures(
  kernel: Kernel,
  codebook: Codebook,
  texts: readonly Uint16Array[],
  into: Uint8Array,
): (Uint8Array | undefined)[] {
  const made: (Uint8Array | undefined)[] = []
  for (let from = 0; from < texts.length; ) {
    let to = from
    let count = 0
    do count += texts[to++].length
    while (to < texts.length && count < PIECES_PER_CALL)
    const room = into.subarray(from * LATENT_BYTES, to * LATENT_BYTES)
    const { pieces, ends } = concatenated(texts.slice(from, to))
    const known = kernel.projectSums(codebook.weighted(pieces), ends, room.subarray(MAKER_BYTES), LATENT_BYTES)
    known.forEach((isKnown, i) => {
      mark(codebook.id, room, i * LATENT_BYTES)
      made.push(isKnown ? room.subarray(i * LATENT_BYTES, (i + 1) * LATENT_BYTES) : undefined)
    })
    from = to
  }
  return made
}

/** Lists one after the other, and where each ends. */
function concatenated(lists: readonly Uint16Array[]): { readonly pieces: Uint16Array; readonly ends: Uint32Array } {
  const ends = new Uint32Array(lists.length)
  let end = 0
  lists.forEach((list, i) => {
    ends[i] = end += list.length
  })
  const pieces = new Uint16Array(end)
  lists.forEach((list, i) => pieces.set(list, ends[i] - list.length))
  return { pieces, ends }
}
