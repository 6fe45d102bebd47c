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
  for (const { from, pieces, ends } of pieceBatches(texts)) {
    const room = into.subarray(from * LATENT_BYTES, (from + ends.length) * LATENT_BYTES)
    const known = kernel.projectSums(codebook.weighted(pieces), ends, room.subarray(MAKER_BYTES), LATENT_BYTES)
    known.forEach((isKnown, i) => {
      mark(codebook.id, room, i * LATENT_BYTES)
      made.push(isKnown ? room.subarray(i * LATENT_BYTES, (i + 1) * LATENT_BYTES) : undefined)
    })
  }
  return made
}

/** Texts whose word pieces are summed in one call of the kernel. */
interface PieceBatch {
  /** Place of the first text. */
  readonly from: number
  /** The pieces of all texts, one text after the other. */
  readonly pieces: Uint16Array
  /** Where the pieces of each text end. */
  readonly ends: Uint32Array
}

/** Cuts texts of word pieces into batches of about {@link PIECES_PER_CALL} pieces. */
export function* pieceBatches(texts: readonly Uint16Array[]): Generator<PieceBatch> {
  for (let from = 0; from < texts.length; ) {
    const ends: number[] = []
    let end = 0
    do ends.push((end += texts[from + ends.length].length))
    while (from + ends.length < texts.length && end < PIECES_PER_CALL)
    const pieces = new Uint16Array(end)
    ends.forEach((to, i) => pieces.set(texts[from + i], to - texts[from + i].length))
    yield { from, pieces, ends: Uint32Array.from(ends) }
    from += ends.length
  }
}
