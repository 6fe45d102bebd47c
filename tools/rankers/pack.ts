import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import type { Model, Ranker, Tree } from '../../src/api/ranker.js'
import { AT_ONCE, digit, DIGITS, FINE, type PackedModel, UNIT, ZERO } from '../../src/recall/ranking/packed.js'

/**
 * The model with the values that a packed model can have: a score changes by some 0.0005. Values of nodes with
 * children, which are no part of a score, are {@link FINE} times as coarse. Thresholds have three digits, rounded
 * upwards, so that a row with the value of a threshold goes the way that it went.
 */
export function rounded(model: Model): Model {
  const trees = model.trees.map((tree) => ({
    ...tree,
    threshold: tree.threshold.map(upwards),
    value: tree.value.map((value, node) => {
      const step = tree.left[node] === 0 ? UNIT : UNIT * FINE
      return Math.round(value / step) * step + 0
    }),
  }))
  return { ...model, trees }
}

/** The next number of three digits that is not below. */
function upwards(value: number): number {
  const nearest = Number(value.toPrecision(3))
  if (nearest >= value) return nearest
  return Number((nearest + 10 ** (Math.floor(Math.log10(Math.abs(value))) - 2)).toPrecision(3))
}

/** What one digit tells of. */
const SOME_NODES = new RegExp(`.{1,${AT_ONCE}}`, 'g')

/** A model in less room; `unpack` makes it again. Throws a RangeError for one that does not fit the form. */
export function pack({ trees, ...rest }: Model): PackedModel {
  const [feature, value, fine]: string[][] = [[], [], []]
  const inner: ('0' | '1')[] = []
  const threshold: string[] = rest.features.map(() => '')
  const thresholds = rest.features.map((_, asked) =>
    ascending(
      trees.flatMap((tree) =>
        tree.threshold.filter((_, node) => tree.left[node] !== 0 && tree.feature[node] === asked),
      ),
    ),
  )
  const visit = (tree: Tree, node: number): void => {
    const left = tree.left[node]
    inner.push(left === 0 ? '0' : '1')
    const units = tree.value[node] / UNIT + ZERO
    if (!Number.isInteger(units)) throw new RangeError(`${tree.value[node]} is no multiple of ${UNIT}; round the model`)
    value.push(one(Math.floor(units / FINE)))
    if (left === 0) {
      fine.push(one(units % FINE))
      return
    }
    const asked = tree.feature[node]
    feature.push(one(asked))
    threshold[asked] += one(thresholds[asked].indexOf(tree.threshold[node]))
    visit(tree, left)
    visit(tree, left + 1)
  }
  for (const tree of trees) visit(tree, 0)
  const text = (digits: readonly string[]) => digits.join('')
  return {
    ...rest,
    thresholds,
    inner: text(
      (text(inner).match(SOME_NODES) ?? []).map((bits) => one(Number.parseInt(bits.padEnd(AT_ONCE, '0'), 2))),
    ),
    feature: text(feature),
    threshold,
    value: text(value),
    fine: text(fine),
  }
}

/**
 * Writes the table that is the default: the model that needs no codebook as code, the others as code and together as
 * the file that a page fetches with the codebook.
 */
export async function writeDefault(
  { name, script, trainedOn, licence, models: { plain, codebook, encoder } }: Ranker,
  about: string,
): Promise<void> {
  if (plain === undefined || codebook === undefined || encoder === undefined)
    throw new Error('the default ranker needs a model for each equipment')
  const tables = new URL('../../src/recall/ranking/tables/', import.meta.url)
  const late = { codebook: pack(rounded(codebook)), encoder: pack(rounded(encoder)) }
  const file = JSON.stringify(late)
  const digest = createHash('sha256').update(file).digest('hex')
  const header = { name, script, trainedOn, licence, lateDigest: digest }
  const lines = Object.entries(header)
    .map(([key, value]) => `  ${key}: ${literal(String(value))},\n`)
    .join('')
  await writeFile(new URL('../../src/encoding/codebook/built/ranker.bin', import.meta.url), file)
  for (const [equipment, model] of Object.entries(late))
    await writeFile(
      new URL(`free-${equipment}.ts`, tables),
      `import type { PackedModel } from '../packed.js'\n\n${about}\n` +
        `export const freeWith${equipment[0].toUpperCase()}${equipment.slice(1)}: PackedModel = ` +
        `/* @__PURE__ */ JSON.parse(\n${inLines(JSON.stringify(model), '  ')},\n)\n`,
    )
  await writeFile(
    new URL('free.ts', tables),
    `import type { PackedModel } from '../packed.js'\n\n${about}\nexport const free = {\n${lines}` +
      '  plain: /* @__PURE__ */ JSON.parse(\n' +
      `${inLines(JSON.stringify(pack(rounded(plain))), '    ')},\n  ) as PackedModel,\n}\n`,
  )
}

/** A long string as code has it: a sum of short ones, a line each. */
function inLines(text: string, indent: string): string {
  const parts = text.match(/.{1,100}/g) ?? ['']
  return parts.map((part, i) => `${indent}${i === 0 ? '' : '  '}${literal(part)}`).join(' +\n')
}

/** A string as code has it. */
export function literal(text: string): string {
  return `'${text.replaceAll(/['\\]/g, '\\$&')}'`
}

function ascending(numbers: readonly number[]): number[] {
  return [...new Set(numbers)].sort((a, b) => a - b)
}

function one(value: number): string {
  if (!Number.isInteger(value) || value < 0 || value >= DIGITS)
    throw new RangeError(`${value} is no digit; there are 0 to ${DIGITS - 1}`)
  return digit(value)
}
