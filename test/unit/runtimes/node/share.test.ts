import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Agidb, type Encryption, type MemoryChange } from '../../../../src/runtimes/node/index.js'
import { sync } from '../../../../src/adapters/sync/index.js'

const PLAIN = { codebook: 'none', extract: 'none', autoConsolidate: false } as const

let folder: string
const opened: Agidb[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agidb-share-'))
})
afterEach(async () => {
  for (const db of opened.splice(0).reverse()) await db.close()
  rmSync(folder, { recursive: true, force: true })
})

async function open(options: { writer?: string; readOnly?: boolean; encryption?: Encryption } = {}): Promise<Agidb> {
  const db = await Agidb.open({ path: folder, share: true, ...PLAIN, ...options })
  opened.push(db)
  return db
}

test('what one writes the others see, and each is told of every change', async () => {
  const [owner, other] = [await open({ writer: 'one' }), await open({ writer: 'two' })]
  const told: MemoryChange[] = []
  other.subscribe((change) => told.push(change))
  await owner.observe('The office is in Rome.', { id: 'a' })
  await other.observe('The depot is in Oslo.', { id: 'b' })
  expect((await other.recall('office')).matches[0]).toMatchObject({ id: 'a', provenance: { writer: 'one' } })
  expect((await owner.getEpisode('b'))?.provenance.writer).toBe('two')
  await expect
    .poll(() => told.map(({ ids, own }) => [...ids, own]))
    .toEqual([
      ['a', false],
      ['b', true],
    ])
})

test('a second process needs the passphrase of the memory, also for a scope', async () => {
  const encryption = { passphrase: 'right' }
  const owner = await open({ encryption })
  await owner.observe('The office is in Rome.')
  await owner.scope({ user: 'ann' }).observe('The depot is in Oslo.')
  for (const wrong of [
    {},
    { encryption: { passphrase: 'wrong' } },
    { readOnly: true },
    { encryption: 'none' } as const,
  ])
    await expect(open(wrong)).rejects.toMatchObject({ code: 'AGIDB_PASSPHRASE' })
  const other = await open({ encryption })
  expect([await other.count(), await other.scope({ user: 'ann' }).count()]).toEqual([1, 1])
})

test('many items, pages, an export and an import go through the socket', async () => {
  const [, other] = [await open(), await open()]
  const items = Array.from({ length: 3_000 }, (_, i) => ({ text: `Box ${i} stands in the hall.` }))
  expect(await other.observeMany(items)).toHaveLength(3_000)
  let count = 0
  for await (const page of other.episodes({ limit: 700 })) count += page.length
  expect(count).toBe(3_000)
  const bytes = new Uint8Array(await new Response(await other.export()).arrayBuffer())
  const report = await other.import(new Blob([bytes]), { replace: true })
  expect(report.episodes).toBe(3_000)
  expect(await other.count()).toBe(3_000)
})

test('when the owner closes another one goes on', async () => {
  const [owner, other] = [await open(), await open()]
  const changed = new Promise<void>((resolve) => {
    other.subscribe(({ kind }) => void (kind === 'ownerChanged' && resolve()))
  })
  await owner.observe('The office is in Rome.')
  await owner.close()
  await other.observe('The depot is in Oslo.')
  expect(await other.count()).toBe(2)
  await changed
})

test('errors cross, and a member that may only read is refused to write', async () => {
  const [, other, reader] = [await open(), await open(), await open({ readOnly: true })]
  await expect(other.observe(' ')).rejects.toMatchObject({ code: 'AGIDB_INVALID_TEXT' })
  await expect(reader.observe('x')).rejects.toMatchObject({ code: 'AGIDB_READ_ONLY' })
  await expect(other.observe('x', { metadata: { f: () => 1 } as never })).rejects.toMatchObject({
    code: 'AGIDB_INVALID_ARGUMENT',
  })
  expect(await reader.count()).toBe(0)
})

test('scopes and exchanges of changes work in a member that is not the owner', async () => {
  const [owner, other] = [await open(), await open()]
  await other.scope({ user: 'ann' }).observe('Ann likes tea.')
  expect(await owner.scope({ user: 'ann' }).count()).toBe(1)
  expect(await owner.count()).toBe(0)

  const device = await Agidb.open({ storage: 'memory', ...PLAIN })
  opened.push(device)
  await device.observe('The dentist moved to Hill Road.')
  await other.observe('The office is in Oslo.')
  await other.apply(await device.changes(await other.versionVector()))
  const [there, back] = [new TransformStream<Uint8Array>(), new TransformStream<Uint8Array>()]
  await Promise.all([
    sync(device, { readable: there.readable, writable: back.writable }),
    sync(other, { readable: back.readable, writable: there.writable }),
  ])
  expect([await owner.count(), await other.count(), await device.count()]).toEqual([2, 2, 2])
})

test('one that does not share is refused, in either order', async () => {
  const owner = await open()
  await expect(Agidb.open({ path: folder, ...PLAIN })).rejects.toMatchObject({ code: 'AGIDB_IN_USE' })
  await owner.close()
  const alone = await Agidb.open({ path: folder, ...PLAIN })
  opened.push(alone)
  await expect(open()).rejects.toMatchObject({ code: 'AGIDB_IN_USE' })
})

test('share needs a folder and a flag', async () => {
  const wrong = [
    { storage: 'memory', share: true },
    { path: folder, share: 1 },
  ] as never[]
  for (const options of wrong)
    await expect(Agidb.open(options)).rejects.toMatchObject({ code: 'AGIDB_INVALID_ARGUMENT' })
})

test.skipIf(process.platform === 'win32')(
  'the socket is for its user alone, and says nothing without the key',
  async () => {
    await open()
    const name = readdirSync(folder).find((file) => file.endsWith('.sock'))!
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
    const said = await new Promise<string>((resolve) => {
      let heard = ''
      const socket = connect({ path: join(folder, name) })
      socket.setEncoding('utf8').on('data', (text: string) => (heard += text))
      socket.on('close', () => resolve(heard))
      socket.write(`${JSON.stringify({ agidb: 1, format: 'node ff0f', key: 'guessed', names: [] })}\n`)
    })
    expect(said).toBe('')
  },
)
