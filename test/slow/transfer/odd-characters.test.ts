import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Agidb } from '../../../src/api/agidb.js'
import type { Observation } from '../../../src/api/episode.js'
import { openEngine } from '../../../src/engine/whole.js'
import { nodeStorage } from '../../../src/storage/adapters/node/node.js'
import { listed, NOW, openMemory, withFolder } from '../../unit/engine/open.js'
import { kernel } from '../../unit/encoding/kernel.js'
import { runs } from '../../runs.js'
import { exported } from '../../unit/transfer/exported.js'

/** Characters that decoders, trimmers, normalisers, path names and JSON writers like to change. */
const ODD = [
  '\ufeff',
  '\ufffe',
  '\uffff',
  '\ufffd',
  '\0',
  '\x01',
  '\x1f',
  '\x7f',
  '\x85',
  '\xa0',
  '\xad',
  '\u200b',
  '\u200d',
  '\u200e',
  '\u2028',
  '\u2029',
  '\u202e',
  '\u2066',
  '\r',
  '\n',
  '\r\n',
  '\t',
  ' ',
  '"',
  '\\',
  '/',
  '..',
  '%00',
  '\u0301',
  'é',
  'e\u0301',
  'ﬁ',
  'Å',
  '\u212b',
  'İ',
  'ß',
  '가',
  '\u1100\u1161',
  '😀',
  '👩‍👩‍👧',
  '\u{10ffff}',
  '\u{e0001}',
  '__proto__',
  'constructor',
  'toString',
  'null',
  '0',
  '-0',
  '{',
  '[',
  '\u3000',
  '\u180e',
]

/** As in `U+1100 U+1161`. */
function codePoints(text: string): string {
  return Array.from(text, (character) => `U+${character.codePointAt(0)!.toString(16).padStart(4, '0')}`).join(' ')
}

const piece = fc.oneof(fc.constantFrom(...ODD), fc.string({ unit: 'binary', minLength: 1, maxLength: 3 }))
const oddText = fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join(''))
/** A name of white space alone is refused. */
const oddName = oddText.map((text) => `${text}n`)

const observation: fc.Arbitrary<Observation & { readonly id: string }> = fc.record({
  id: oddName,
  text: oddText.map((text) => `x${text}`),
  speaker: oddName,
  session: oddName,
  source: oddName,
  triples: fc.array(fc.record({ subject: oddName, predicate: oddName, object: oddName }), { maxLength: 1 }),
})

const openFolder = (path: string) => openEngine({ kernel, clock: () => NOW, seed: 1, storage: nodeStorage(path) })

/** What was observed of each episode, by its id. */
async function kept(db: Agidb): Promise<Map<string, unknown>> {
  const all = (await listed(db)) as readonly (Observation & { readonly id: string })[]
  return new Map(
    all.map(({ id, text, speaker, session, source, triples }) => {
      return [id, { id, text, speaker, session, source, triples }]
    }),
  )
}

/** Observes the items in a folder; expects them unchanged after reopening, compaction and an export of each format. */
async function expectUnchanged(items: readonly (Observation & { readonly id: string })[]): Promise<void> {
  const given = new Map(items.map((item) => [item.id, { ...item, triples: item.triples ?? [] }]))
  await withFolder(async (path) => {
    const first = await openFolder(path)
    await first.observeMany(items)
    await first.close()

    const db = await openFolder(path)
    expect(await kept(db)).toEqual(given)
    for (const id of given.keys()) expect((await db.getEpisode(id))?.id).toBe(id)
    expect(await db.verify()).toMatchObject({ ok: true, problems: [] })
    for (const format of ['agidb', 'jsonl'] as const) {
      const other = await openMemory()
      await other.import(await exported(db, { format }))
      expect(await kept(other)).toEqual(given)
      await other.close()
    }
    await db.compact()
    expect(await kept(db)).toEqual(given)
    await db.close()
  })
}

describe('ids, texts and names come back unchanged from disk, from compaction and from an export', () => {
  test.each(ODD.map((text) => [codePoints(text), text]))('when they begin with %s', async (_, odd) => {
    const named = { speaker: `${odd}s`, session: `${odd}x`, source: `${odd}y` }
    const triples = [{ subject: `${odd}a`, predicate: `${odd}b`, object: `${odd}c` }]
    await expectUnchanged([
      { id: `${odd}1`, text: `${odd}something was said`, ...named, triples },
      { id: `1${odd}`, text: `said${odd}`, ...named, triples },
      { id: '1', text: 'plain', ...named },
    ])
  })

  test('when they consist of any characters', async () => {
    const items = fc.uniqueArray(observation, { selector: ({ id }) => id, minLength: 1, maxLength: 12 })
    await fc.assert(fc.asyncProperty(items, expectUnchanged), { numRuns: runs() })
  })
})
