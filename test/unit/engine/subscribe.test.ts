import { existsSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { MemoryChange } from '../../../src/api/change.js'
import { Agidb } from '../../../src/runtimes/node/index.js'
import { openMemory, withFolder } from './open.js'

test('a listener is told of every change in order, once it is durable, until it has enough', async () => {
  const db = await openMemory({ writer: 'me' })
  const told: MemoryChange[] = []
  const end = db.subscribe((change) => told.push(change))
  const also: string[] = []
  db.subscribe(({ kind }) => also.push(kind))
  const [a, b] = await db.observeMany([{ text: 'a' }, { text: 'b' }])
  await db.supersede(a, b)
  const goal = await db.setGoal({ description: 'g' })
  const { id: frame } = await db.observeSensory({ modality: 'text', text: 'Roger.' })
  await db.observe('  ').catch(() => {})
  await db.remove(b)
  end()
  await db.observe('unheard')
  const from = told[0].from
  expect(told).toMatchObject([
    { kind: 'episodeStored', ids: [a, b], slot: 1, writer: 'me', own: true, from },
    { kind: 'episodeSuperseded', ids: [a, b], slot: 0, own: true, from },
    { kind: 'goalSet', ids: [goal, expect.stringMatching(/^ev_/)], slot: 2 },
    ...told.slice(3, -2), // the frame may have been promoted
    { kind: 'episodeRemoved', ids: [b], slot: 1 },
    { kind: 'unlearned', ids: [expect.stringMatching(/^au_/), expect.stringMatching(/^ev_/)] },
  ])
  expect(told.filter(({ kind }) => kind === 'sensoryFrameSeen').map(({ ids }) => ids)).toEqual([[frame]])
  expect(also).toEqual([...told.map(({ kind }) => kind), 'episodeStored'])
  expect(() => db.subscribe(5 as never)).toThrow(expect.objectContaining({ code: 'AGIDB_INVALID_ARGUMENT' }))
  await db.close()
  expect(() => db.subscribe(() => {})).toThrow(expect.objectContaining({ code: 'AGIDB_CLOSED' }))
})

test('a listener may call the memory, and whatever it does the writing goes on', async () => {
  const db = await openMemory()
  const texts: (string | undefined)[] = []
  db.subscribe(({ ids: [id] }) => void db.getEpisode(id).then((episode) => texts.push(episode?.text)))
  await Promise.all(Array.from({ length: 20 }, (_, i) => db.observe(`note ${i}`)))
  await expect.poll(() => texts).toEqual(Array.from({ length: 20 }, (_, i) => `note ${i}`))
  await db.close()
})

test('a listener can be added after an import replaced the memory or changes were applied to it', async () => {
  const db = await Agidb.open({ storage: 'memory', codebook: 'none', extract: 'none' })
  const other = await Agidb.open({ storage: 'memory', codebook: 'none', extract: 'none' })
  await other.observe('elsewhere')
  for (const replaced of [
    async () => void (await db.import(await other.export(), { replace: true })),
    async () => {
      await other.observe('later')
      await db.apply(await other.changes())
    },
  ]) {
    await replaced()
    const told: MemoryChange[] = []
    const end = db.subscribe((change) => told.push(change))
    const id = await db.observe('here')
    await expect.poll(() => told).toMatchObject([{ kind: 'episodeStored', ids: [id] }])
    end()
  }
  await Promise.all([db.close(), other.close()])
})

test('a listener that is told of an import can add another one at once', async () => {
  const db = await openMemory()
  await db.observe('a')
  const added: string[] = []
  db.subscribe(({ kind }) => {
    if (kind === 'memoryImported') db.subscribe((change) => added.push(change.kind))
  })
  await db.import(await new Response(await db.export()).blob(), { replace: true })
  await db.observe('b')
  await expect.poll(() => added).toEqual(['episodeStored'])
  await db.close()
})

test('read only: a folder is read and stays as it was; one that is not there is not made', async () => {
  await withFolder(async (path) => {
    await expect(Agidb.open({ extract: 'none', path, readOnly: true })).rejects.toMatchObject({
      code: 'AGIDB_NOT_FOUND',
    })
    expect(existsSync(path)).toBe(false)
    const db = await Agidb.open({ extract: 'none', path })
    const id = await db.observe('Sarah recommended Bawri.')
    await db.close()
    const files = readdirSync(path)
    const reader = await Agidb.open({ extract: 'none', path, readOnly: true })
    const { bytes } = await reader.stats()
    expect((await reader.recall('Sarah', { traceAttention: true })).matches[0].id).toBe(id)
    for (const call of [
      () => reader.observe('x'),
      () => reader.observeMany([]),
      () => reader.setGoal({ description: 'x' }),
      () => reader.consolidate(),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: 'AGIDB_READ_ONLY' })
    }
    for await (const page of reader.episodes()) expect(page).toHaveLength(1)
    reader.subscribe(() => {})()
    expect((await reader.stats()).bytes).toBe(bytes)
    await reader.close()
    expect(readdirSync(path)).toEqual(files)
    await expect(Agidb.open({ extract: 'none', storage: 'memory', readOnly: true })).rejects.toMatchObject({
      code: 'AGIDB_INVALID_ARGUMENT',
    })
    await expect(Agidb.open({ extract: 'none', path, readOnly: 1 as never })).rejects.toMatchObject({
      code: 'AGIDB_INVALID_ARGUMENT',
    })
  })
})
