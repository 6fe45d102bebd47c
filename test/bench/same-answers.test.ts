import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { entryOf, HERE, libraryOf, type Library } from '../../bench/library.js'
import { canonical } from '../../bench/same/canonical.js'
import { locomo } from '../../bench/same/exams.js'
import { fixtures } from '../../bench/same/fixtures.js'
import { compare, hashed, together, type Hashes } from '../../bench/same/hashes.js'
import { histories } from '../../bench/same/histories.js'
import type { Unit } from '../../bench/same/unit.js'

let library: Library
let folder: string

beforeAll(async () => {
  library = await libraryOf()
  folder = await mkdtemp(join(tmpdir(), 'agidb-same-test-'))
})
afterAll(() => rm(folder, { recursive: true }))

const hashes = (units: readonly Unit[]): Promise<Hashes> => hashed(library, units, () => {})

/** A conversation in the form of LoCoMo, with three questions that have an answer. */
const CONVERSATION = {
  session_1_date_time: '1:56 pm on 8 May, 2023',
  session_1: [
    { speaker: 'Ann', dia_id: 'D1:1', text: 'I moved to Oslo in April.' },
    { speaker: 'Bob', dia_id: 'D1:2', text: 'My sister plays the cello in Rome.' },
    { speaker: 'Ann', dia_id: 'D1:3', text: 'The dog is called Rex.' },
  ],
  qa: [
    { question: 'Where does Ann live?', evidence: ['D1:1'], category: 1 },
    { question: 'What does the sister play?', evidence: ['D1:2'], category: 1 },
    { question: 'What is the name of the dog?', evidence: ['D1:3'], category: 1 },
    { question: 'Which car does Bob drive?', category: 5 },
  ],
}

describe('the hashes of all answers', () => {
  test('are the same in two runs of the same histories', async () => {
    const units = histories(6).slice(3)
    const first = await hashes(units)
    expect(await hashes(units)).toEqual(first)
    const some = ['4: file journal.agidb', '4: reopened: recalled', '4: told']
    expect(Object.keys(first)).toEqual(expect.arrayContaining(some))
  })

  test('differ for another history', async () => {
    const [one, two] = histories(2)
    const under = (unit: Unit): Unit => ({ ...unit, name: 'any' })
    expect(together(await hashes([under(one)]))).not.toBe(together(await hashes([under(two)])))
  })

  test('are the same in two runs of a conversation, and tell of each question in each mode', async () => {
    await writeFile(join(folder, 'one.json'), JSON.stringify(CONVERSATION))
    const units = await locomo(folder)
    const first = await hashes(units)
    expect(await hashes(units)).toEqual(first)
    for (const mode of ['default', 'fusion', 'no-codebook']) {
      expect(first).toHaveProperty([`one.json/${mode}: varied 3`])
    }
    expect(first['one.json/default: plain 0']).not.toBe(first['one.json/fusion: plain 0'])
  })

  test('are the same in two runs of a fixture, and every fixture is found by its name', async () => {
    const units = await fixtures()
    const names = ['export-1', 'export-1-encrypted', 'folder-2', 'folder-4', 'format-1', 'format-2']
    expect(units.map(({ name }) => name)).toEqual(expect.arrayContaining(names))
    const some = units.filter(({ name }) => name === 'folder-4' || name === 'export-1')
    expect(await hashes(some)).toEqual(await hashes(some))
  })
})

describe('the text of an answer', () => {
  test('is the same in whatever order its fields are', () => {
    expect(canonical({ a: 1, b: [{ c: 2, d: 3 }] })).toBe(canonical({ b: [{ d: 3, c: 2 }], a: 1 }))
  })

  test('leaves out what differs from run to run, and nothing else', () => {
    expect(canonical({ elapsedMs: 12, from: 'ha_01', id: 'x' })).toBe('{"id":"x"}')
    expect(canonical({ from: { kind: 'active' } })).toBe('{"from":{"kind":"active"}}')
  })

  test('tells numbers and bytes apart that differ in the last bit', () => {
    expect(canonical({ score: 0.1 + 0.2 })).not.toBe(canonical({ score: 0.3 }))
    expect(canonical(Uint8Array.of(1, 2))).not.toBe(canonical(Uint8Array.of(1, 3)))
    expect(canonical([NaN, Infinity, undefined])).toBe('["NaN","Infinity",null]')
  })
})

test('a comparison names the answers that differ, and those that one run lacks', () => {
  const difference = compare({ a: '1', b: '2', c: '3' }, { a: '1', b: '9', d: '4' })
  expect(difference).toEqual({ other: ['b'], missing: ['c', 'd'], same: 1 })
})

describe('the library of a checkout', () => {
  test('is found by its package.json when built, and by its tsconfig.json otherwise', async () => {
    expect(await entryOf(HERE, false)).toMatch(/src\/.*\.ts$/)
    expect(await entryOf(HERE, true)).toMatch(/dist\/.*\.js$/)
  })

  test('is refused where no public entry is named', async () => {
    await writeFile(join(folder, 'package.json'), '{}')
    await expect(entryOf(folder, true)).rejects.toThrow(/exports no "\.\/node"/)
  })
})
