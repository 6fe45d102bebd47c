import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import type { Model, Ranker } from '../../src/api/ranker.js'
import { digit, DIGITS, type PackedModel } from '../../src/recall/ranking/packed.js'

/** Significant digits of a value that three digits of a packed model hold. */
const SIGNIFICANT = 5

/** A model in less room; `unpack` makes it again. Throws a RangeError for one that does not fit the form. */
export function pack({ trees, ...rest }: Model): PackedModel {
  const [left, feature, threshold, power, mantissa, sizes]: string[][] = [[], [], [], [], [], []]
  const values = trees.flatMap(({ value }) => value.map(parts))
  const powers = ascending(values.map(({ power }) => power))
  const thresholds = rest.features.map((_, asked) =>
    ascending(
      trees.flatMap((tree) =>
        tree.threshold.filter((_, node) => tree.left[node] !== 0 && tree.feature[node] === asked),
      ),
    ),
  )
  for (const tree of trees) {
    sizes.push(one(tree.left.length))
    tree.left.forEach((child, node) => {
      left.push(one(child === 0 ? 0 : (child + 1) / 2))
      if (child === 0) return
      feature.push(one(tree.feature[node]))
      threshold.push(one(thresholds[tree.feature[node]].indexOf(tree.threshold[node])))
    })
  }
  for (const { units, power: of, negative } of values) {
    power.push(one(2 * powers.indexOf(of) + Number(negative)))
    mantissa.push(one(Math.floor(units / DIGITS ** 2)), one(Math.floor(units / DIGITS) % DIGITS), one(units % DIGITS))
  }
  const text = (digits: readonly string[]) => digits.join('')
  return {
    ...rest,
    thresholds,
    powers,
    sizes: text(sizes),
    left: text(left),
    feature: text(feature),
    threshold: text(threshold),
    power: text(power),
    mantissa: text(mantissa),
  }
}

/**
 * Writes the table that is the default: one model as code, the other as code and as the file that a page fetches with
 * the codebook.
 */
export async function writeDefault(
  { name, script, trainedOn, licence, models: { plain, codebook } }: Ranker,
  about: string,
): Promise<void> {
  if (plain === undefined || codebook === undefined)
    throw new Error('the default ranker needs a model for each equipment')
  const tables = new URL('../../src/recall/ranking/tables/', import.meta.url)
  const file = JSON.stringify(pack(codebook))
  const digest = createHash('sha256').update(file).digest('hex')
  const header = { name, script, trainedOn, licence, codebookDigest: digest }
  const lines = Object.entries(header)
    .map(([key, value]) => `  ${key}: ${literal(String(value))},\n`)
    .join('')
  await writeFile(new URL('../../src/encoding/codebook/built/ranker.bin', import.meta.url), file)
  await writeFile(
    new URL('free-codebook.ts', tables),
    `import type { Packed } from '../packed.js'\n\n${about}\nexport const freeWithCodebook: Packed = /* ` +
      `@__PURE__ */ JSON.parse(\n  ${literal(file)},\n)\n`,
  )
  await writeFile(
    new URL('free.ts', tables),
    `import type { Packed } from '../packed.js'\n\n${about}\nexport const free = {\n${lines}` +
      `  plain: /* @__PURE__ */ JSON.parse(\n    ${literal(JSON.stringify(pack(plain)))},\n  ) as Packed,\n}\n`,
  )
}

/** A string as code has it. */
export function literal(text: string): string {
  return `'${text.replaceAll(/['\\]/g, '\\$&')}'`
}

/** Sign, units and power of ten of a number, with five significant digits. */
function parts(value: number): { units: number; power: number; negative: boolean } {
  const [digits, exponent] = Math.abs(value)
    .toExponential(SIGNIFICANT - 1)
    .split('e')
  const found = {
    units: Number(digits.replace('.', '')),
    power: Number(exponent) - SIGNIFICANT + 1,
    negative: value < 0,
  }
  if (Number(`${found.units}e${found.power}`) !== Math.abs(value))
    throw new RangeError(`${value} has more than ${SIGNIFICANT} digits`)
  return found
}

function ascending(numbers: readonly number[]): number[] {
  return [...new Set(numbers)].sort((a, b) => a - b)
}

function one(value: number): string {
  if (!Number.isInteger(value) || value < 0 || value >= DIGITS)
    throw new RangeError(`${value} is no digit; there are 0 to ${DIGITS - 1}`)
  return digit(value)
}
