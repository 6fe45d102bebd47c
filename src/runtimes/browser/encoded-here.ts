// What a page perceives and cannot send to the engine's worker. A page fetches this when it first gives something like
// that.
import { invalid } from '../../api/check.js'
import type { Encoders, SensedInputs } from '../../api/encoder.js'
import type { Keep } from '../../api/sensory.js'
import { sensed } from '../../memory/translations/perceiving.js'
import { isHere } from './here.js'

/** What a method is given of senses: an input, a frame, or the options of a question. */
type Given = SensedInputs & { readonly keep?: Keep; readonly modality?: string }

/**
 * The arguments of a method with latents in the place of what the encoders of the page must encode.
 *
 * @throws AgidbError what the encoders throw; `AGIDB_INVALID_ARGUMENT` where a video is to be kept that is no file
 */
export async function encodedHere(args: readonly unknown[], encoders: Encoders): Promise<unknown[]> {
  const keep = args.map((arg) => (arg as Given | undefined)?.keep).find((one) => one !== undefined && one !== 'none')
  return Promise.all(
    args.map(async (arg, i) => {
      if (!isHere(arg)) return arg
      const { video, own, ...others } = arg as Given
      const isFile = !isHere({ video })
      if (keep !== undefined && !isFile)
        throw invalid(
          `a video element and pictures that come one by one are not kept; give a file to keep: '${keep}'`,
          {
            what: 'video',
          },
        )
      // What is to be kept goes to the engine itself, as data that can be sent.
      const here: SensedInputs = { ...(!isFile && { video }), ...(keep === undefined && { own }) }
      const made = await sensed(encoders, here)
      const rest = { ...others, ...(isFile && { video }), ...(keep !== undefined && { own }) }
      const [first] = made
      // Of a frame of one sense there is one latent, which says by itself whose it is.
      if (i === 0 && first !== undefined && rest.modality === first.modality)
        return { ...rest, latent: first.latent, encoder: first.encoder }
      const given = made.find(({ modality }) => rest.latents?.[modality] !== undefined)?.modality
      if (given !== undefined)
        throw invalid(`${given} is given twice; give it, or latents.${given}`, { what: `latents.${given}` })
      const latents = Object.fromEntries(made.map(({ modality, latent }) => [modality, latent]))
      return { ...rest, latents: { ...rest.latents, ...latents } }
    }),
  )
}
