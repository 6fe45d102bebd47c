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

/** Remembers each item by itself, then looks for each after every change. */
async function measure<S extends Sense, Item>(
  encoder: Encoder<S>,
  items: readonly Item[],
  inputOf: (item: Item) => EncoderInputs[S],
  changes: Readonly<Record<string, (item: Item) => EncoderInputs[S] | Promise<EncoderInputs[S]>>>,
): Promise<void> {
  const sense = encoder.modality
  const db = await Agidb.open({ storage: 'memory', encoders: { [sense]: encoder } })
  const began = performance.now()
  for (const [i, item] of items.entries()) await db.observeMultimodal({ [sense]: inputOf(item) }, { id: `i-${i}` })
  const took = (performance.now() - began) / items.length
  console.log(`\n${items.length} × ${sense}, ${encoder.dimension} numbers each; ${took.toFixed(0)} ms to remember one`)
  let [all, right] = [0, 0]
  for (const [name, change] of Object.entries(changes)) {
    let [asked, found] = [0, 0]
    for (let i = 0; i < items.length; i += every, asked++) {
      const { matches } = await db.recall(undefined, { [sense]: await change(items[i]), k: 1 })
      if (matches[0]?.id === `i-${i}`) found++
    }
    console.log(`  R@1 ${(found / asked).toFixed(3)}  ${name}`)
    all += asked
    right += found
  }
  console.log(`  R@1 ${(right / all).toFixed(3)}  of all`)
  await db.close()
  await encoder.close()
}

await measure(await lite0(), await pictures(count), ({ png }) => png, PICTURE_CHANGES)
const heard = await sounds(sentences)
const spoken = heard.filter(({ name }) => sentences.includes(name))
const recorded = heard.filter(({ name }) => !sentences.includes(name))
await measure(await speech(), recorded, (sound) => sound, SOUND_CHANGES)
if (spoken.length > 0) await measure(await speech(), spoken, (sound) => sound, SOUND_CHANGES)
else console.log('\nno speech: espeak-ng is not installed')
