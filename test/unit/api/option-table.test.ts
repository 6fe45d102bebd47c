import { describe, expect, test } from 'vitest'
import { DEFAULT_LIMITS } from '../../../src/api/check.js'
import { checkEngineOptions } from '../../../src/api/option-checks.js'
import { engineOptionsOf, optionsOf } from '../../../src/api/option-table.js'
import { decodeOpenOptions, encodeOpenOptions } from '../../../src/rpc/codec/open-options.js'

describe('the table of the options of open', () => {
  test('gives each runtime its own options', () => {
    expect(optionsOf('browser')).toEqual(expect.arrayContaining(['name', 'worker', 'persist', 'durability', 'seed']))
    expect(optionsOf('browser')).not.toContain('path')
    expect(optionsOf('node')).toEqual(expect.arrayContaining(['path', 'durability', 'readOnly', 'seed']))
    expect(optionsOf('node')).not.toContain('name')
    for (const name of ['path', 'name', 'readOnly', 'durability']) expect(optionsOf('edge')).not.toContain(name)
  })

  test('gives the engine no option of the runtime, and none that is unknown', () => {
    expect(engineOptionsOf({ path: 'x', seed: 1, kernel: undefined, writer: 'me', other: 5 })).toEqual({
      seed: 1,
      writer: 'me',
    })
  })

  test('refuses a wrong value with the name of its option', () => {
    for (const [option, value] of Object.entries({
      seed: -1,
      shards: 65,
      headroom: 0.5,
      memoryBudget: -1,
      writer: '',
      clock: 5,
      onEncoded: 'x',
      onProgress: {},
      encoder: {},
      surpriseThreshold: 2,
      surpriseProfile: { surprise: [0], expected: [0], threshold: 0 },
      limits: { triples: 0 },
    })) {
      const check = () => checkEngineOptions({ [option]: value })
      expect(check, option).toThrow(expect.objectContaining({ code: 'AGIDB_INVALID_ARGUMENT' }))
      expect(check, option).toThrow(new RegExp(`^${option}`))
    }
  })

  test('checks a text by the limits that are given beside it', () => {
    expect(() => checkEngineOptions({ writer: 'long', limits: { nameBytes: 3 } })).toThrow('limits.nameBytes')
    expect(checkEngineOptions({ limits: { triples: 2 } })).toEqual({ ...DEFAULT_LIMITS, triples: 2 })
  })
})

test('options come to the worker as they were given: URLs as text on the way, and those of the page not at all', () => {
  const given = { name: 'x', seed: 7, codebook: new URL('https://example.org/codebook.bin'), kernel: new Uint8Array(3) }
  const sent = structuredClone(encodeOpenOptions({ ...given, persist: false } as never))
  expect(sent).toEqual({ ...given, codebook: { url: 'https://example.org/codebook.bin' } })
  expect(decodeOpenOptions(sent)).toEqual(given)
})

test('refuses in the page a function for progress that is none', () => {
  const send = () => encodeOpenOptions({ onProgress: 5 as never })
  expect(send).toThrow(expect.objectContaining({ code: 'AGIDB_INVALID_ARGUMENT' }))
})
