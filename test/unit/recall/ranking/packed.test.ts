import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { Model, Tree } from '../../../../src/api/ranker.js'
import { bundledModels } from '../../../../src/recall/ranking/bundled.js'
import { FINE, unpack, UNIT } from '../../../../src/recall/ranking/packed.js'
import { free } from '../../../../src/recall/ranking/tables/free.js'
import { freeWithCodebook } from '../../../../src/recall/ranking/tables/free-codebook.js'
import { freeWithEncoder } from '../../../../src/recall/ranking/tables/free-encoder.js'
import { locomo } from '../../../../src/recall/ranking/tables/locomo.js'
import { pack, rounded } from '../../../../tools/rankers/pack.js'

/** Bytes after gzip that a page may fetch for a model. */
const MOST_BYTES = 15_500

const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')

/** A tree without the places of its nodes. */
type Nested = number | readonly [value: number, feature: number, threshold: number, below: Nested, above: Nested]
const nested = (tree: Tree, node = 0): Nested => {
  const [value, left] = [tree.value[node], tree.left[node]]
  if (left === 0) return value
  return [value, tree.feature[node], tree.threshold[node], nested(tree, left), nested(tree, left + 1)]
}
const asNested = ({ trees, ...rest }: Model) => ({ ...rest, trees: trees.map((tree) => nested(tree)) })

describe('a packed model', () => {
  it.each(['plain', 'codebook'] as const)('has every number of the %s model that was packed', (equipment) => {
    const model = locomo.models[equipment]!
    const packed = unpack(pack(rounded(model)))
    expect(asNested(packed)).toStrictEqual(asNested(rounded(model)))
    for (const [i, { value, left }] of rounded(model).trees.entries())
      for (const [node, rounded] of value.entries()) {
        const step = left[node] === 0 ? UNIT : UNIT * FINE
        expect(Math.abs(rounded - model.trees[i].value[node])).toBeLessThanOrEqual(step / 2)
      }
  })

  it('is packed to the same when it was unpacked', () => {
    expect(pack(unpack(free.plain))).toStrictEqual(free.plain)
    expect(pack(bundledModels('codebook')!)).toStrictEqual(freeWithCodebook)
    expect(pack(bundledModels('encoder')!)).toStrictEqual(freeWithEncoder)
  })

  it.each([0.123456, 3])('is refused while it is packed if a value is %d: too fine or too large', (value) => {
    const model = locomo.models.plain!
    const tree = { feature: [0], threshold: [0], left: [0], value: [value] }
    expect(() => pack({ ...model, trees: [tree] })).toThrow(RangeError)
  })

  it('is in the file that a page fetches as it is in the program, and the page knows its digest', () => {
    const file = readFileSync(new URL('../../../../src/encoding/codebook/built/ranker.bin', import.meta.url))
    expect(JSON.parse(file.toString())).toEqual({ codebook: freeWithCodebook, encoder: freeWithEncoder })
    expect(sha256(file)).toBe(free.lateDigest)
  })

  it('takes no more than 15,500 bytes after gzip', () => {
    for (const packed of [free.plain, freeWithCodebook, freeWithEncoder]) {
      expect(gzipSync(JSON.stringify(packed), { level: 9 }).length).toBeLessThan(MOST_BYTES)
    }
  })
})
