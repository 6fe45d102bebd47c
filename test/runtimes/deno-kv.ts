// Runs in Deno: `deno run --unstable-kv deno-kv.ts contract FOLDER` prints how each test of the contract went, and
// `… write FILE COMMITS` commits until it is killed.
import { Agidb } from 'agidb'
import { denoKvStorage, type DenoKv } from 'agidb/deno-kv'
import { storageContract } from 'agidb/storage-contract'
import { argv, stdout } from 'node:process'
import { COMMIT, commitOf, visited } from '../crash/numbered-commits.ts'

declare const Deno: { openKv(path: string): Promise<DenoKv & { close(): void }> }

const LEASE = { leaseMs: 600 }
const [, , command, path, from] = argv
const commands: Record<string, () => Promise<void>> = { contract, write, check, lease, staged, memory }
await commands[command]()

function print(line: unknown): void {
  stdout.write(`${JSON.stringify(line)}\n`)
}

async function contract(): Promise<void> {
  let places = 0
  const tests = storageContract({ durable: true, parts: ['signatures', 'checkpoint', 'maintenance'] }, async () => {
    const file = `${path}/${places++}.db`
    const kvs = await Promise.all(Array.from({ length: 3 }, () => Deno.openKv(file)))
    let next = 0
    return {
      adapter: () => denoKvStorage(kvs[next++ % kvs.length], LEASE),
      remove: () => kvs.forEach((kv) => kv.close()),
    }
  })
  for (const { name, run } of tests) {
    const error = await run().then(
      () => undefined,
      (error: Error) => error.stack ?? String(error),
    )
    print({ name, error })
  }
}

/** Each third commit is larger than one atomic commit may be. */
async function write(): Promise<void> {
  const opened = await denoKvStorage(await Deno.openKv(path), LEASE).open(() => undefined)
  for (let index = Number(from); ; index++) {
    await opened.rows.commit(commitOf(index))
    print(index + 1)
  }
}

/** How many commits are there, whole; and what is left of others. */
async function check(): Promise<void> {
  const kv = await Deno.openKv(path)
  const started = performance.now()
  const found = visited()
  const opened = await denoKvStorage(kv, LEASE).open(found.visit)
  const waited = performance.now() - started
  const { opening } = await opened.stats()
  await opened.close()
  kv.close()
  print({ ...found.count(), waited, opening: opening.map(({ kind }) => kind), of: COMMIT })
}

/** What becomes of a memory whose program was stopped for longer than its lease. */
async function lease(): Promise<void> {
  const [a, b] = [await Deno.openKv(path), await Deno.openKv(path)]
  const first = await denoKvStorage(a, LEASE).open(() => undefined)
  await first.rows.commit(commitOf(0))
  const codeOf = (work: () => Promise<unknown>) =>
    work().then(
      () => 'done',
      (error: { code?: string }) => error.code,
    )
  const renewed = await codeOf(() => denoKvStorage(b, LEASE).open(() => undefined))
  // As when the machine sleeps: nothing is renewed meanwhile.
  const realTimer = globalThis.setTimeout
  globalThis.setTimeout = (() => 0) as unknown as typeof setTimeout
  await new Promise((resolve) => realTimer(resolve, 400))
  globalThis.setTimeout = realTimer
  const second = await denoKvStorage(b, LEASE).open(() => undefined)
  await second.rows.commit(commitOf(1))
  const late = await codeOf(() => first.rows.commit(commitOf(2)))
  await first.close().catch(() => undefined)
  await second.close()
  const found = visited()
  const third = await denoKvStorage(a, LEASE).open(found.visit)
  for await (const { key } of a.list({ start: ['agidb'], end: ['agidc'] }, { batchSize: 100 }))
    await a
      .atomic()
      .delete(key as string[])
      .commit()
  const gone = await codeOf(() => third.rows.commit(commitOf(2)))
  print({ renewed, late, commits: found.count().commits, gone })
}

/** A commit of 7 MB that fails in its midst, by a connection that breaks: then it is tried again, and opened again. */
async function staged(): Promise<void> {
  const kv = await Deno.openKv(path)
  let left = Infinity
  const breaking: DenoKv = {
    get: (key) => kv.get(key),
    list: (range, options) => kv.list(range, options),
    atomic() {
      const atomic = kv.atomic()
      const { commit } = atomic
      atomic.commit = () => (left-- > 0 ? commit.call(atomic) : Promise.reject(new Error('connection reset')))
      return atomic
    },
  }
  const blocks = async () => {
    let count = 0
    for await (const { key } of kv.list(
      { start: ['agidb', 'journal'], end: ['agidb', 'journal-'] },
      { batchSize: 100 },
    ))
      if (typeof key[2] === 'number') count++
    return count
  }
  const first = await denoKvStorage(breaking, LEASE).open(() => undefined)
  await first.rows.commit(commitOf(0))
  const before = await blocks()
  left = 5
  const failed = await first.rows.commit(commitOf(8)).catch(({ code }: { code?: string }) => code)
  left = 0
  await first.close().catch(() => undefined)
  const during = await blocks()
  const found = visited()
  const second = await denoKvStorage(kv, LEASE).open(found.visit)
  const after = await blocks()
  await second.rows.commit(commitOf(8))
  await second.close()
  const again = visited()
  const third = await denoKvStorage(kv, LEASE).open(again.visit)
  await third.close()
  kv.close()
  print({ failed, left: during - before, cleaned: after === before, found: found.count(), again: again.count() })
}

/** A memory, with a scope, that is closed and opened again. */
async function memory(): Promise<void> {
  const kv = await Deno.openKv(path)
  const open = () => Agidb.open({ storage: denoKvStorage(kv), codebook: 'none' })
  let db = await open()
  const id = await db.observe('Sarah recommended Bawri, a thai place in Bandra.')
  await db.scope({ user: 'ann' }).observe('Ann has a secret.')
  await db.close()
  db = await open()
  const found = (await db.recall('which thai place?')).matches.map((match) => match.id === id)
  const scoped = (await db.scope({ user: 'ann' }).recall('secret')).matches.length
  const { ok } = await db.verify()
  const { storage, durability } = await db.stats()
  await db.close()
  kv.close()
  print({ found, scoped, ok, storage, durability })
}
