/**
 * Trains a table that the package ships:
 *
 *     npx tsx tools/rankers/train.ts --name free --trained-on TEXT --licence TEXT [--data FOLDER …]
 *       [--documents FILE] [--only EQUIPMENT]
 *
 * on conversations in the form of LoCoMo, and on questions about documents in the form of
 * bench/data/document-training.json. With `--only`, which takes plain, codebook or encoder, the other models of `free`
 * stay as they are. The model for a sentence encoder is trained with all-MiniLM-L6-v2, which tools/setup.sh
 * fetches. Writes src/recall/ranking/tables/<name>.ts; for `free` also free-codebook.ts and free-encoder.ts there, and
 * src/encoding/codebook/built/ranker.bin.
 */
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { examples } from '../../bench/recall/examples.js'
import { readLocomo } from '../../bench/recall/locomo.js'
import { sectionExamples } from '../../bench/recall/sections.js'
import type { Equipment, Model, Ranker } from '../../src/api/ranker.js'
import { FEATURES } from '../../src/recall/ranking/features.js'
import { unpack } from '../../src/recall/ranking/packed.js'
import { free } from '../../src/recall/ranking/tables/free.js'
import { freeWithCodebook } from '../../src/recall/ranking/tables/free-codebook.js'
import { freeWithEncoder } from '../../src/recall/ranking/tables/free-encoder.js'
import type { BoostOptions } from '../../src/training/boost.js'
import { trainModel } from '../../src/training/train.js'
import { literal, writeDefault } from './pack.js'

const { values } = parseArgs({
  options: {
    name: { type: 'string' },
    'trained-on': { type: 'string' },
    licence: { type: 'string' },
    data: { type: 'string', multiple: true },
    documents: { type: 'string' },
    only: { type: 'string' },
  },
})
const { name, 'trained-on': trainedOn, licence } = values
if (name === undefined || trainedOn === undefined || licence === undefined)
  throw new Error('give --name, --trained-on and --licence')
const folders = values.data ?? [fileURLToPath(new URL('../../bench/data/conversations', import.meta.url))]
const exams = (await Promise.all(folders.map(readLocomo))).flat()

/**
 * A page fetches the model without a codebook before its first answer, so it has few trees. Cross-validated on
 * bench/data/conversations few trees that learn faster are as good as the default 200: see docs/rankers.md.
 */
const BOOSTS: Partial<Record<Equipment, Partial<BoostOptions>>> = { plain: { trees: 50, rate: 0.1 } }
/** Thresholds of the default table have so many digits, so that a page fetches less; they rank no worse. */
const DIGITS = 2
const EQUIPMENTS = ['plain', 'codebook', 'encoder'] as const
const { only } = values
if (only !== undefined && (name !== 'free' || !EQUIPMENTS.some((one) => one === only)))
  throw new Error("--only takes 'plain', 'codebook' or 'encoder', with --name free")

const models: Partial<Record<Equipment, Model>> =
  name === 'free'
    ? { plain: unpack(free.plain), codebook: unpack(freeWithCodebook), encoder: unpack(freeWithEncoder) }
    : {}
for (const equipment of EQUIPMENTS) {
  if (only !== undefined && equipment !== only) continue
  // Only the default table has a model for an encoder: others rank by their model `codebook` there.
  if (name !== 'free' && equipment === 'encoder') continue
  const seen = await examples(exams, equipment)
  if (values.documents !== undefined) seen.push(...(await sectionExamples(values.documents, equipment)))
  models[equipment] = trainModel(seen, {
    columns: FEATURES,
    boost: name === 'free' ? { digits: DIGITS, ...BOOSTS[equipment] } : {},
  })
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
