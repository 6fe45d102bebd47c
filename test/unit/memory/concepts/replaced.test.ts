import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Engine } from '../../../../src/engine/engine.js'
import type { RecallOptions } from '../../../../src/api/recall.js'
import { newestFirst } from '../../../../src/recall/answer/newest-first.js'
import { openMemory } from '../../engine/open.js'

const at = (day: number) => `2026-05-0${day}T08:00:00.000Z`

/** Has a memory observe that somebody stands in a relation, on a day. */
function tell(db: Engine, id: string, day: number, subject: string, predicate: string, object: string) {
  const text = `${subject} ${predicate} ${object}.`
  return db.observe(text, { id, at: at(day), triples: [{ subject, predicate, object }] })
}

/** The ids of matches, each with what replaces it and what it replaces. */
async function recalled(db: Engine, cue: string, options: RecallOptions = {}) {
  const { matches } = await db.recall(cue, options)
  return matches.map(({ id, replacedBy, replaces }) => ({ id, replacedBy, replaces }))
}

test('Of two places where somebody lives the newer one stands first, and each names the other.', async () => {
  const db = await openMemory()
  await tell(db, 'old', 1, 'Sarah', 'lives in', 'Bombay')
  await tell(db, 'new', 3, 'Sarah', 'moved house and resides in', 'Pune')
  await tell(db, 'newer', 4, 'Sarah', 'lives in', 'Goa')
  const found = await recalled(db, 'Does Sarah live in Bombay?')
  expect(found.map(({ id }) => id).indexOf('newer')).toBeLessThan(found.map(({ id }) => id).indexOf('old'))
  expect(found.find(({ id }) => id === 'old')?.replacedBy).toEqual({ id: 'newer', statement: 'Sarah lives in Goa' })
  expect(found.find(({ id }) => id === 'newer')?.replaces).toEqual([{ id: 'old', statement: 'Sarah lives in Bombay' }])
  await db.close()
})

test('The newer statement is named though it is no match, and in the words of the inverse, too.', async () => {
  const db = await openMemory()
  await tell(db, 'old', 1, 'Robert', 'works for', 'Siemens')
  await tell(db, 'new', 2, 'Bosch', 'employs', 'Robert')
  const [match] = await recalled(db, 'Robert works for Siemens', { k: 1 })
  expect(match.id === 'old' ? match.replacedBy : match.replaces).toMatchObject(
    match.id === 'old' ? { id: 'new', statement: 'Bosch employs Robert' } : [{ id: 'old' }],
  )
  await db.close()
})

test('What can be true at once, is said again, or is forgotten replaces nothing.', async () => {
  const db = await openMemory()
  await tell(db, 'tea', 1, 'Sarah', 'likes', 'tea')
  await tell(db, 'milk', 2, 'Sarah', 'likes', 'milk')
  await tell(db, 'one', 1, 'Tom', 'lives in', 'Goa')
  await tell(db, 'two', 2, 'Tom', 'lives in', 'Pune')
  await tell(db, 'three', 3, 'Tom', 'lives in', 'Goa')
  const named = async (cue: string) => (await recalled(db, cue)).filter((one) => one.replacedBy ?? one.replaces)
  const drinks = (await named('What does Sarah like?')).filter(({ id }) => id === 'tea' || id === 'milk')
  expect(drinks).toEqual([])
  const places = await named('Where does Tom live?')
  expect(places.find(({ id }) => id === 'two')?.replacedBy).toMatchObject({ id: 'three' })
  expect(places.find(({ id }) => id === 'one')?.replacedBy).toBeUndefined()
  await db.unlearn({ episode: ['two'] }, 'wrong')
  expect(await named('Where does Tom live?')).toEqual([])
  await db.close()
})

test('As of an earlier time what was newest then counts.', async () => {
  const db = await openMemory()
  await tell(db, 'old', 1, 'Sarah', 'lives in', 'Bombay')
  await tell(db, 'new', 3, 'Sarah', 'lives in', 'Pune')
  const [then] = await recalled(db, 'Where does Sarah live?', { validAsOf: at(2) })
  expect(then).toEqual({ id: 'old', replacedBy: undefined, replaces: undefined })
  await db.close()
})

test('Ordering moves nothing but a newer match before the older one that it replaces.', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.nat(20), { maxLength: 8 }),
      fc.array(fc.tuple(fc.nat(20), fc.nat(20))),
      (ids, pairs) => {
        type Matches = Parameters<typeof newestFirst>[0]
        const matches = ids.map((id) => ({ id: String(id) })) as unknown as Matches
        const by = new Map(pairs.flatMap(([a, b]) => (a < b ? [[String(a), { id: String(b), statement: 's' }]] : [])))
        const ordered = newestFirst(matches, by, new Map())
        expect(ordered.map(({ id }) => id).sort()).toEqual(matches.map(({ id }) => id).sort())
        const free = (some: readonly { readonly id: string }[]) => {
          const news = new Set([...by.values()].map(({ id }) => id))
          return some.filter(({ id }) => !news.has(id)).map(({ id }) => id)
        }
        expect(free(ordered)).toEqual(free(matches))
      },
    ),
  )
})
