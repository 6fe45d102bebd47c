import { expect, test } from 'vitest'
import { fromClientIn, fromOwnerIn, noticeIn, remoteSpec } from '../../../../src/rpc/tabs/boundary.js'
import type { RemoteMethod } from '../../../../src/rpc/tabs/protocol.js'
import { Disk } from './disk.js'
import { Origin } from './origin.js'
import { openTab } from './tab.js'

const change = { kind: 'episodeStored', ids: ['a'], slot: 1, writer: 'w', from: 'other' }
const call = {
  kind: 'call',
  term: 't',
  call: 1,
  method: 'stats',
  args: [],
  inParts: false,
  progress: false,
  writer: 'w',
  readOnly: false,
  received: 0,
}
const wrong: readonly unknown[] = [undefined, null, 5, 'hello', [], {}, { kind: 'other' }]

test('what a tab sends is read as it is', () => {
  for (const notice of [
    { kind: 'hello', from: 'a' },
    { kind: 'opening', term: 't' },
    { kind: 'owner', term: 't' },
    { kind: 'change', change },
  ])
    expect(noticeIn(notice)).toBe(notice)
  for (const message of [call, { kind: 'part', term: 't', call: 1, items: [] }, { kind: 'abort', term: 't', call: 1 }])
    expect(fromClientIn(message)).toBe(message)
  const answer = {
    kind: 'answer',
    call: 1,
    outcome: { ok: false, error: { code: 'AGIDB_QUOTA', message: 'full', details: {} } },
  }
  for (const message of [
    { kind: 'welcome', term: 't', open: true },
    answer,
    { kind: 'progress', call: 1, progress: { done: 1 } },
  ])
    expect(fromOwnerIn(message)).toBe(message)
})

test('anything else is passed over', () => {
  for (const data of wrong) for (const read of [noticeIn, fromClientIn, fromOwnerIn]) expect(read(data)).toBeUndefined()
  for (const key of Object.keys(call)) expect(fromClientIn({ ...call, [key]: null }), key).toBeUndefined()
  for (const key of Object.keys(change))
    expect(noticeIn({ kind: 'change', change: { ...change, [key]: null } }), key).toBeUndefined()
  expect(noticeIn({ kind: 'hello' })).toBeUndefined()
  expect(fromClientIn({ kind: 'part', term: 't', call: 1, items: 5 })).toBeUndefined()
  expect(fromOwnerIn({ kind: 'answer', call: 1, outcome: { ok: false } })).toBeUndefined()
  expect(fromOwnerIn({ kind: 'welcome' })).toBeUndefined()
})

test('no tab calls what is no method of a database', () => {
  for (const method of ['close', 'constructor', '__proto__', 'serve', ''])
    expect(() => remoteSpec(method as RemoteMethod), method).toThrow(
      expect.objectContaining({ code: 'AGIDB_INVALID_ARGUMENT' }),
    )
  for (const method of ['page', 'observe', 'export'] as const) expect(() => remoteSpec(method)).not.toThrow()
})

test('messages of nobody do not disturb two tabs', async () => {
  const origin = new Origin()
  const disk = new Disk()
  const [first, second] = [await openTab(origin, disk), await openTab(origin, disk)]
  const names = [...new Set([...origin.channels].map(({ name }) => name))]
  const stranger = origin.place()
  for (const name of names) {
    const channel = stranger.channel(name)
    for (const data of wrong) channel.postMessage(data)
  }
  await second.db.observe('It goes on.', { id: 'a' })
  expect((await first.db.getEpisode('a'))?.text).toBe('It goes on.')
  await second.db.close()
  await first.db.close()
})
