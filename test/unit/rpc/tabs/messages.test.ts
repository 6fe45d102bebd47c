import fc from 'fast-check'
import { expect, test } from 'vitest'
import { namesOf } from '../../../../src/rpc/tabs/environment.js'
import { listed } from '../../engine/open.js'
import { runs } from '../../../runs.js'
import { Disk } from './disk.js'
import { Origin } from './origin.js'
import { openTab } from './tab.js'

const NAMES = namesOf('test')

/** What can be cloned, and is no field of a message where it stands. */
const garbage = fc.oneof(
  fc.constantFrom<unknown>(
    undefined,
    null,
    '',
    NaN,
    Infinity,
    -1.5,
    2 ** 60,
    true,
    false,
    [],
    {},
    '__proto__',
    'constructor',
    'remove',
    'still',
    'toString',
    'x'.repeat(5_000),
    new Uint8Array(3),
    new Date(NaN),
    new Map(),
  ),
  fc
    .anything({ maxDepth: 2, withMap: true, withSet: true, withTypedArray: true, withBigInt: true })
    .filter((value) => typeof value !== 'function'),
)

/** A message that would have an effect, by the term of the owner and a tab that lives. */
type Made = (term: string, tab: string) => { readonly channel: string; readonly message: Record<string, unknown> }
const call =
  (method: string, args: readonly unknown[]): Made =>
  (term, tab) => ({
    channel: NAMES.tab(tab),
    message: {
      kind: 'call',
      term,
      call: 1_000_000,
      method,
      args,
      inParts: false,
      progress: false,
      writer: 'w',
      readOnly: false,
      received: 0,
    },
  })
const EFFECTS: readonly Made[] = [
  call('observe', ['said by nobody']),
  call('setGoal', [{ description: 'of nobody' }]),
  (term, tab) => ({
    channel: NAMES.tab(tab),
    message: { kind: 'answer', term, call: 1, outcome: { ok: true, value: 'wrong' } },
  }),
  () => ({ channel: NAMES.all, message: { kind: 'hello', from: 'nobody' } }),
  (term) => ({ channel: NAMES.all, message: { kind: 'owner', term } }),
  (_, tab) => ({
    channel: NAMES.all,
    message: { kind: 'change', change: { kind: 'episodeStored', ids: ['x'], slot: 1, writer: 'w', from: tab } },
  }),
  (term, tab) => ({
    channel: NAMES.tab(tab),
    message: { kind: 'part', term, call: 7, items: [{ text: 'of nobody' }] },
  }),
]

/** Whether a field could have this value in a message of ours, so that the message is none that is malformed. */
const fits = (name: string, before: unknown, value: unknown): boolean => {
  if (name === 'kind' || name === 'method') return value === before
  if (Array.isArray(before)) return Array.isArray(value)
  if (typeof before === 'number') return Number.isSafeInteger(value)
  if (typeof before === 'object') return typeof value === 'object' && value !== null
  return typeof value === typeof before
}

test('a malformed message in any channel has no effect, and all tabs go on', async () => {
  const [origin, disk] = [new Origin(), new Disk()]
  const [owner, client] = [await openTab(origin, disk), await openTab(origin, disk)]
  const stranger = origin.place()
  let [term, tab] = ['', '']
  client.place.posts = (message) => {
    const { term: to, from } = message as { readonly term?: string; readonly from?: string }
    term ||= to ?? ''
    tab ||= from ?? ''
  }
  await client.db.observe('It was said first.', { id: 'first' })
  tab = [...origin.channels]
    .map(({ name }) => name.split('/tab/')[1])
    .find(
      (handle) => handle !== undefined && [...origin.channels].filter(({ name }) => name.endsWith(handle)).length === 2,
    )!
  expect([term, tab]).not.toContain(undefined)
  expect(term).not.toBe('')
  const told: unknown[] = []
  client.db.subscribe((change) => told.push(change))
  const settled = () => new Promise((resolve) => setTimeout(resolve, 5))

  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...EFFECTS), fc.nat(), garbage, async (made, at, value) => {
      const { channel, message } = made(term, tab)
      const names = Object.keys(message)
      const name = names[at % names.length]
      fc.pre(!fits(name, message[name], value))
      const posting = stranger.channel(channel)
      for (const malformed of [{ ...message, [name]: value }, value]) {
        try {
          posting.postMessage(malformed)
        } catch (error) {
          if (!(error instanceof DOMException)) throw error // it cannot be cloned, so nobody could send it
        }
      }
      await settled()
      posting.close()
    }),
    { numRuns: runs(200) },
  )

  expect((await listed(owner.db)).map(({ id }) => id)).toEqual(['first'])
  expect(await owner.db.activeGoals()).toEqual([])
  expect(told).toEqual([])
  expect((await client.db.getEpisode('first'))?.text).toBe('It was said first.')
  const [role, other] = [await owner.db.stats(), await client.db.stats()].map(({ role }) => role)
  expect([role, other]).toEqual(['owner', 'client'])
  await client.db.close()
  await owner.db.close()
})
