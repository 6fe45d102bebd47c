import { MessageChannel, Worker } from 'node:worker_threads'
import { afterEach, describe, expect, test } from 'vitest'
import type { Agidb } from '../../../src/api/agidb.js'
import { publicView } from '../../../src/api/registry.js'
import type { Progress } from '../../../src/base/progress.js'
import { openEngine } from '../../../src/engine/whole.js'
import { share } from '../../../src/rpc/tabs/share.js'
import { connect, type EngineThread } from '../../../src/rpc/worker/connect.js'
import { kernel } from '../../unit/encoding/kernel.js'
import { openMemory } from '../../unit/engine/open.js'
import { Disk } from '../../unit/rpc/tabs/disk.js'
import { Origin } from '../../unit/rpc/tabs/origin.js'
import { WITH_TOY } from '../../fixtures/method/registry.js'
import { toyService, type ToyMethods } from '../../fixtures/method/toy-methods.js'

type WithToy = Agidb & ToyMethods
const TOY = { extensions: [{ methods: toyService }], methods: WITH_TOY }
const TEXTS = ['one two three', 'four five', 'six']

const opened: WithToy[] = []
afterEach(async () => {
  for (const db of opened.splice(0)) await db.close()
})

function kept(db: Agidb): WithToy {
  opened.unshift(db as WithToy)
  return db as WithToy
}

async function inProcess(readOnly = false): Promise<WithToy> {
  return kept(publicView(await openMemory(TOY), readOnly, WITH_TOY))
}

/** Compiles a module of TypeScript when a worker thread starts with it. */
const START = `
  const { file } = require('node:worker_threads').workerData
  import('tsx/esm/api').then(({ tsImport }) => tsImport(file, file))
`

/** A database whose engine runs in a worker thread of Node. */
async function inWorker(): Promise<WithToy> {
  const { port1, port2 } = new MessageChannel()
  const file = new URL('../../fixtures/method/engine-worker.ts', import.meta.url).href
  const worker = new Worker(START, {
    eval: true,
    workerData: { file, port: port2 },
    transferList: [port2],
    execArgv: [],
  })
  const terminate = () => {
    port1.close()
    void worker.terminate()
  }
  return kept(await connect(Object.assign(port1, { terminate }) as unknown as EngineThread, {}, WITH_TOY))
}

/** Opens one more tab on a disk. The first owns the database, and the others call its engine. */
async function inTab(origin: Origin, disk: Disk, readOnly = false): Promise<WithToy> {
  const environment = origin.place()
  const open = (handle: string) => openEngine({ kernel, storage: disk.storage(environment), handle, ...TOY })
  return kept(
    await share({ name: 'toy', place: environment, open, writer: 'tab', readOnly, pingMs: 20, methods: WITH_TOY }),
  )
}

async function inSecondTab(): Promise<WithToy> {
  const [origin, disk] = [new Origin(), new Disk()]
  await inTab(origin, disk)
  return inTab(origin, disk)
}

describe.each([
  ['in this thread', inProcess],
  ['through a worker', inWorker],
  ['through another tab', inSecondTab],
])('a method that a fixture adds in one file and one line, called %s', (_, open) => {
  test('answers, and reports its progress to a callback', async () => {
    const db = await open()
    const reports: Progress[] = []
    expect(await db.countWords(TEXTS, { onProgress: (progress) => reports.push(progress) })).toBe(6)
    expect(reports).toEqual([1, 2, 3].map((done) => ({ done, total: 3 })))
    expect(await db.countWords(TEXTS)).toBe(6)
  })

  test('is aborted by its signal', async () => {
    const db = await open()
    const controller = new AbortController()
    const onProgress = () => controller.abort()
    const call = db.countWords(Array(10_000).fill('word'), { signal: controller.signal, onProgress })
    await expect(call).rejects.toMatchObject({ code: 'AGIDB_ABORTED' })
  })

  test('writes what the other methods read', async () => {
    const db = await open()
    const id = await db.setToyGoal('Find a place.')
    expect((await db.getGoal(id))?.description).toBe('Find a place.')
  })
})

test('a read-only view allows the added method that reads, and refuses the one that writes', async () => {
  const db = await inProcess(true)
  expect(await db.countWords(TEXTS)).toBe(6)
  await expect(db.setToyGoal('Find a place.')).rejects.toMatchObject({ code: 'AGIDB_READ_ONLY' })
  expect(await db.goals()).toEqual([])
})

test('a read-only tab allows the added method that reads, and refuses the one that writes', async () => {
  const [origin, disk] = [new Origin(), new Disk()]
  await inTab(origin, disk)
  const reader = await inTab(origin, disk, true)
  expect(await reader.countWords(TEXTS)).toBe(6)
  await expect(reader.setToyGoal('Find a place.')).rejects.toMatchObject({ code: 'AGIDB_READ_ONLY' })
  expect(await reader.goals()).toEqual([])
})
