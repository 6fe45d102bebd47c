import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { Model } from '../../../../src/api/ranker.js'
import { bundledModel } from '../../../../src/recall/ranking/bundled.js'
import { unpack } from '../../../../src/recall/ranking/packed.js'
import { free } from '../../../../src/recall/ranking/tables/free.js'
import { freeWithCodebook } from '../../../../src/recall/ranking/tables/free-codebook.js'
import { locomo } from '../../../../src/recall/ranking/tables/locomo.js'
import { pack } from '../../../../tools/rankers/pack.js'

/**
 * SHA-256 of the models as plain JSON, as they were shipped before they were packed. To be replaced when the table is
 * trained anew.
 */
const JSON_DIGESTS = [
  '642e131aa2e57b0eb8eb925a4c1aed78cd7b0f41c7d393112224635328b35c7c',
  '1e7c28a390a8ca24abf55e1e6d9f0a410cd91c51a46e12f4f663e4cd6d8b3807',
]
/** Bytes after gzip that a page may fetch for a model; as JSON one took 37,448. */
const MOST_BYTES = 28_000

const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')
const asJson = ({ features, trees, scale, calibration }: Model): string =>
  JSON.stringify({ features, trees, scale, calibration })

describe('a packed model', () => {
  it.each(['plain', 'codebook'] as const)('has every number of the %s model that was packed', (equipment) => {
    const model = locomo.models[equipment]!
    expect(unpack(pack(model))).toStrictEqual(model)
  })

  it('has the numbers of the table of free that was shipped as JSON', () => {
    expect([unpack(free.plain), bundledModel()].map((model) => sha256(asJson(model)))).toEqual(JSON_DIGESTS)
  })

  it('is refused while it is packed if a value has more than five digits', () => {
    const model = locomo.models.plain!
    const tree = { feature: [0], threshold: [0], left: [0], value: [0.123456] }
    expect(() => pack({ ...model, trees: [tree] })).toThrow(RangeError)
  })

  it('is in the file that a page fetches as it is in the program, and the page knows its digest', () => {
    const file = readFileSync(new URL('../../../../src/encoding/codebook/built/ranker.bin', import.meta.url))
    expect(JSON.parse(file.toString())).toEqual(freeWithCodebook)
    expect(sha256(file)).toBe(free.codebookDigest)
  })

  it('takes no more than 28,000 bytes after gzip', () => {
    for (const packed of [free.plain, freeWithCodebook]) {
      expect(gzipSync(JSON.stringify(packed), { level: 9 }).length).toBeLessThan(MOST_BYTES)
    }
  })
})
