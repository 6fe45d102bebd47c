/** Whether pictures and sounds are found again after they were changed: recall@1 of the same source. */
import type { Encoder, EncoderInputs, Sense } from '../src/api/encoder.js'
import { Agidb } from '../src/runtimes/node/index.js'
import { speech } from '../test/unit/models/audio/speech.js'
import { lite0 } from '../test/unit/models/image/lite0.js'
import { commandLine, UsageError } from './command.js'
import { CHANGES as PICTURE_CHANGES, pictures } from './senses/pictures.js'
import { sentences } from './senses/sentences.js'
import { CHANGES as SOUND_CHANGES, sounds } from './senses/sounds.js'

const HELP = `
Pictures and sounds of packages, remembered as they are and looked for after a change. Speech is made by espeak-ng where
it is installed. Packages are downloaded once.

  npm run bench:senses -- [--pictures 300] [--every 1]

  --pictures N   how many pictures
  --every N      looks for each Nth alone
`

const { values } = commandLine(HELP, {
  options: { pictures: { type: 'string', default: '300' }, every: { type: 'string', default: '1' } },
})
const [count, every] = [Number(values.pictures), Number(values.every)]
for (const [name, value] of Object.entries({ pictures: count, every }))
  if (!Number.isInteger(value) || value < 1) throw new UsageError(`--${name} takes a whole number from 1 on`)

/** Whether an item was the first match for what a change made of it. */
interface Outcome {
  readonly change: string
  readonly part: string | undefined
  readonly isFound: boolean
}

function found(outcomes: readonly Outcome[]): string {
  return (outcomes.filter(({ isFound }) => isFound).length / outcomes.length).toFixed(3)
}

/**
 * Remembers each item by itself, then looks for each after every change.
 *
 * @param partOf the part of the items that one is counted with, beside all.
 */
async function measure<S extends Sense, Item>(
  encoder: Encoder<S>,
  items: readonly Item[],
  inputOf: (item: Item) => EncoderInputs[S],
  changes: Readonly<Record<string, (item: Item) => EncoderInputs[S] | Promise<EncoderInputs[S]>>>,
  partOf?: (item: Item) => string,
): Promise<void> {
  const sense = encoder.modality
  const db = await Agidb.open({ storage: 'memory', encoders: { [sense]: encoder } })
  const began = performance.now()
  for (const [i, item] of items.entries()) await db.observeMultimodal({ [sense]: inputOf(item) }, { id: `i-${i}` })
  const took = (performance.now() - began) / items.length
  console.log(`\n${items.length} × ${sense}, ${encoder.dimension} numbers each; ${took.toFixed(0)} ms to remember one`)
  const outcomes: Outcome[] = []
  for (const [change, changed] of Object.entries(changes)) {
    for (let i = 0; i < items.length; i += every) {
      const { matches } = await db.recall(undefined, { [sense]: await changed(items[i]), k: 1 })
      outcomes.push({ change, part: partOf?.(items[i]), isFound: matches[0]?.id === `i-${i}` })
    }
  }
  const parts = partOf === undefined ? [] : [...new Set(items.map(partOf))]
  const shares = (of: readonly Outcome[]) =>
    [of, ...parts.map((name) => of.filter(({ part }) => part === name))].map(found).join('  ')
  console.log(`  R@1 of ${['all', ...parts].join(', ')}`)
  for (const name of Object.keys(changes))
    console.log(`  ${shares(outcomes.filter(({ change }) => change === name))}  ${name}`)
  console.log(`  ${shares(outcomes)}  together`)
  await db.close()
  await encoder.close()
}

await measure(await lite0(), await pictures(count), ({ png }) => png, PICTURE_CHANGES)
const heard = await sounds(sentences)
await measure(
  await speech(),
  heard,
  (sound) => sound,
  SOUND_CHANGES,
  ({ name }) => (sentences.includes(name) ? 'speech' : 'recordings'),
)
if (heard.every(({ name }) => !sentences.includes(name))) console.log('\nno speech: espeak-ng is not installed')
