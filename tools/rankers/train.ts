/**
 * Trains a table that the package ships:
 *
 *     npx tsx tools/rankers/train.ts --name free --trained-on TEXT --licence TEXT [--data FOLDER …] [--only codebook]
 *
 * on conversations in the form of LoCoMo. Writes src/recall/ranking/tables/<name>.ts; for `free` also
 * src/recall/ranking/tables/free-codebook.ts and src/encoding/codebook/built/ranker.bin. With --only the other model of
 * the table stays as it is; that goes with the name `free` alone.
 */
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { examples } from '../../bench/recall/examples.js'
import { readLocomo } from '../../bench/recall/locomo.js'
import type { Equipment, Model, Ranker } from '../../src/api/ranker.js'
import { FEATURES } from '../../src/recall/ranking/features.js'
import { unpack } from '../../src/recall/ranking/packed.js'
import { free } from '../../src/recall/ranking/tables/free.js'
import { trainModel } from '../../src/training/train.js'
import { literal, writeDefault } from './pack.js'

const { values } = parseArgs({
  options: {
    name: { type: 'string' },
    'trained-on': { type: 'string' },
    licence: { type: 'string' },
    data: { type: 'string', multiple: true },
    only: { type: 'string' },
  },
})
const { name, 'trained-on': trainedOn, licence } = values
if (name === undefined || trainedOn === undefined || licence === undefined)
  throw new Error('give --name, --trained-on and --licence')
if (values.only !== undefined && (values.only !== 'codebook' || name !== 'free'))
  throw new Error('--only takes codebook, with --name free')
const ours = ['conversations', 'more-conversations']
const folders = values.data ?? ours.map((name) => fileURLToPath(new URL(`../../bench/data/${name}`, import.meta.url)))
const exams = (await Promise.all(folders.map(readLocomo))).flat()

const models: Partial<Record<Equipment, Model>> = values.only === undefined ? {} : { plain: unpack(free.plain) }
for (const equipment of ['plain', 'codebook'] as const) {
  if (models[equipment] !== undefined) continue
  const seen = await examples(exams, equipment)
  models[equipment] = trainModel(seen, { columns: FEATURES })
  console.log(
    `${equipment}: ${seen.length} questions, ${seen.reduce((sum, { right }) => sum + right.length, 0)} candidates`,
  )
}
const ranker: Ranker = { format: 'agidb-ranker', version: 1, name, trainedOn, licence, script: 'Latin', models }
const about = `/**
 * Made by tools/rankers/train.ts: do not edit. Trained on ${trainedOn}.
 * Licence of what it was trained on, which holds for this table whatever the licence of the package: ${licence}.
 * The card is docs/rankers.md.
 */`
if (name === 'free') {
  await writeDefault(ranker, about)
} else {
  const code = `export const ${name}: Ranker = /* @__PURE__ */ JSON.parse(\n  ${literal(JSON.stringify(ranker))},\n)\n`
  await writeFile(
    new URL(`../../src/recall/ranking/tables/${name}.ts`, import.meta.url),
    `import type { Ranker } from '../../../api/ranker.js'\n\n${about}\n${code}`,
  )
}
