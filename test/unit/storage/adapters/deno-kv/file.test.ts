import { expect, test } from 'vitest'
import { KvFile } from '../../../../../src/storage/adapters/deno-kv/file.js'
import type { DenoKv, KvAtomic, KvKeyPart } from '../../../../../src/storage/adapters/deno-kv/kv.js'
import type { Lease } from '../../../../../src/storage/adapters/deno-kv/lease.js'

const BLOCK = 16 * 1024
const LEASE = { check: { key: ['memory', 'owner'], versionstamp: '1' } } as unknown as Lease

const isWithin = (part: KvKeyPart, from: number, to: number): boolean =>
  typeof part === 'number' && part >= from && part < to

/** A Deno KV in main memory. A list is of the time at which it was asked for, and is answered when a test says so. */
class LateKv implements DenoKv {
  readonly #values = new Map<string, unknown>()
  /** What the answers of lists wait for. */
  late: Promise<void> = Promise.resolve()

  async get(key: readonly KvKeyPart[]) {
    return { key, value: this.#values.get(JSON.stringify(key)), versionstamp: '1' }
  }

  async *list({ start, end }: { readonly start: readonly KvKeyPart[]; readonly end: readonly KvKeyPart[] }) {
    const [from, to] = [start.at(-1) as number, end.at(-1) as number]
    const listed = [...this.#values]
      .map(([key, value]) => ({ key: JSON.parse(key) as KvKeyPart[], value, versionstamp: '1' }))
      .filter(({ key }) => isWithin(key.at(-1)!, from, to))
    await this.late
    yield* listed
  }

  atomic(): KvAtomic {
    const work: (() => void)[] = []
    const atomic: KvAtomic = {
      check: () => atomic,
      set: (key, value) => (work.push(() => this.#values.set(JSON.stringify(key), value)), atomic),
      delete: (key) => (work.push(() => this.#values.delete(JSON.stringify(key))), atomic),
      commit: async () => {
        for (const step of work) step()
        return { ok: true, versionstamp: '1' }
      },
    }
    return atomic
  }
}

const opened = (kv: LateKv): Promise<KvFile> => KvFile.open(kv, ['memory', 'journal'], LEASE)

/** Begins to read a whole file, changes it, and lets the answer of the reading come after that. */
async function readBeside(kv: LateKv, file: KvFile, change: () => Promise<void>): Promise<Uint8Array> {
  let answer = (): void => {}
  kv.late = new Promise((resolve) => (answer = resolve))
  const bytes = new Uint8Array(file.size())
  const reading = file.read(0, bytes)
  await change()
  answer()
  await reading
  return bytes
}

async function contents(file: KvFile): Promise<Uint8Array> {
  const bytes = new Uint8Array(file.size())
  await file.read(0, bytes)
  return bytes
}

test('what is appended while a slow reading is under way is there after the next append', async () => {
  const kv = new LateKv()
  const old = new Uint8Array(BLOCK + 10).fill(1)
  await (await opened(kv)).write(0, old)
  const file = await opened(kv)
  const read = await readBeside(kv, file, () => file.write(old.length, new Uint8Array(5).fill(2)))
  expect(read).toEqual(old)
  await file.write(old.length + 5, new Uint8Array(5).fill(3))
  const expected = new Uint8Array([...old, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3])
  expect(await contents(file)).toEqual(expected)
  expect(await contents(await opened(kv))).toEqual(expected)
})

test('what is cut off while a slow reading is under way does not come back when the file grows', async () => {
  const kv = new LateKv()
  await (await opened(kv)).write(0, new Uint8Array(2 * BLOCK + 10).fill(1))
  const file = await opened(kv)
  let cutting: Promise<void> | undefined
  await readBeside(kv, file, async () => {
    cutting = file.truncate(10)
    // The length counts at once. What lies behind it is listed to be deleted, which waits as the reading does.
    await new Promise((resolve) => setTimeout(resolve))
  })
  await cutting
  await file.write(2 * BLOCK, new Uint8Array(3).fill(2))
  const bytes = await contents(file)
  expect(bytes.subarray(0, 10)).toEqual(new Uint8Array(10).fill(1))
  expect(bytes.subarray(10, 2 * BLOCK).every((byte) => byte === 0)).toBe(true)
  expect(bytes.subarray(2 * BLOCK)).toEqual(new Uint8Array(3).fill(2))
})
