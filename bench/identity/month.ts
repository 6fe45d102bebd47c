import type { Agidb } from '../../src/api/agidb.js'
import { drawn, seeded } from '../random.js'
import { type Project, PROJECTS } from './projects.js'

/** When the month begins. */
const START = Date.parse('2026-09-01T08:00:00Z')
const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
export const DAYS = 30
/** Minutes of a working day. */
const WORKING = 9 * 60

/** What daily notes are made of, with the parts of a project, its people and a number. */
const NOTES: readonly ((part: string, person: string, number: number) => string)[] = [
  (part, person, number) => `Stand-up: ${person} works on the ${part}, ${number} tests are red, nothing blocks.`,
  (part, person, number) =>
    `Build ${number}: the ${part} took ${(number % 7) + 2} minutes, ${person} cleared the cache.`,
  (part, person, number) => `${person} asked for a review of change ${number} in the ${part}.`,
  (part, person, number) => `Ticket ${number}: a label in the ${part} is cut off; given to ${person}.`,
  (part, person, number) => `${person} renamed ${(number % 9) + 2} functions in the ${part}, commit ${number}.`,
  (part, person, number) => `Lunch with ${person}; talked about the ${part} and ticket ${number}.`,
]

/** A memory of the month, and the time that it is at. */
export interface Month {
  readonly db: Agidb
  readonly clock: { now: number }
}

/** When a script is at a minute of a day, epoch milliseconds. */
export function timeOf(day: number, minute: number): number {
  return START + (day - 1) * DAY_MS + minute * MINUTE_MS
}

/**
 * Lives a month: each day notes are written, what lasts is written down on its day, decisions change, and questions are
 * asked about what the projects of the day come back to. At night entries age.
 *
 * @param count entries in all
 */
export async function live({ db, clock }: Month, count: number): Promise<{ readonly searches: number }> {
  const random = seeded(7)
  const ids = new Map<string, string>()
  const special = PROJECTS.reduce(
    (sum, { lasting, revised }) =>
      sum + lasting.length + revised.reduce((all, { versions }) => all + versions.length, 0),
    0,
  )
  let searches = 0
  let written = 0
  for (let day = 1; day <= DAYS; day++) {
    clock.now = timeOf(day, 0)
    for (const project of PROJECTS) await writeDown(db, project, day, ids)
    const active = PROJECTS.filter(({ days: [first, last] }) => first <= day && day <= last)
    const due = Math.round(((count - special) * day) / DAYS)
    const questions = active.flatMap(({ lasting }) =>
      lasting
        .filter((one) => one.day <= day)
        .flatMap(({ asked, often }) => asked.map((question) => ({ question, often }))),
    )
    const asking = questions.flatMap(({ question, often }) => (random() < often / 4 ? [question] : []))
    const acts: (() => Promise<unknown>)[] = asking.map((question) => () => db.entries.search(question, { k: 1 }))
    searches += asking.length
    while (written < due) {
      const { name, parts, people } = drawn(active, random)
      const text = `${name}: ${drawn(NOTES, random)(drawn(parts, random), drawn(people, random), ++written)}`
      acts.splice(Math.floor(random() * (acts.length + 1)), 0, () =>
        db.entries.add(text, { type: 'impression', perspectives: ['session'] }),
      )
    }
    for (const [i, act] of acts.entries()) {
      clock.now = timeOf(day, Math.floor((WORKING * (i + 1)) / (acts.length + 1)))
      await act()
    }
    clock.now = timeOf(day, WORKING)
    await db.flush()
    await db.entries.aging.apply()
  }
  return { searches }
}

/** Writes down what lasts of a day, and what a day changes. */
async function writeDown(db: Agidb, { name, lasting, revised }: Project, day: number, ids: Map<string, string>) {
  for (const [i, { day: on, text, perspectives, from = [] }] of lasting.entries()) {
    if (on !== day) continue
    const relations = from.map((one) => ({ kind: 'derived_from', target: ids.get(`${name} ${one}`)! }))
    const { id } = await db.entries.add(text, { perspectives, relations })
    ids.set(`${name} ${i}`, id)
  }
  for (const { source, versions } of revised)
    for (const [on, text] of versions)
      if (on === day) await db.entries.ingest(text, { source, perspectives: ['decisions'] })
}
