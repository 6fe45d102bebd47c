import { afterEach, expect, test, vi } from 'vitest'
import type { ScanThreads } from '../../../../src/pools/scan/pool.js'
import { nodeStorage } from '../../../../src/storage/adapters/node/node.js'
import { openMemory, withFolder } from '../../engine/open.js'
import { filled, found, said, say, threads } from './threads.js'

afterEach(() => vi.restoreAllMocks())

/** What takes how long. The clock stands still, but for this. */
interface Time {
  /** By which each thread answers later than this one, in milliseconds. */
  late: number
  pass(ms: number): void
}

/** Gives a function that asks so many times, and says of each whether the threads were asked, too. */
async function withTime(
  options: Partial<ScanThreads>,
  use: (time: Time, ask: (times: number) => Promise<boolean[]>) => Promise<void>,
): Promise<void> {
  await withFolder(async (path) => {
    let now = 0
    vi.spyOn(performance, 'now').mockImplementation(() => now)
    const time: Time = { late: 0, pass: (ms) => void (now += ms) }
    const { patience: _, ...shardThreads } = await threads((host) => ({
      ...host,
      async scan(...args) {
        const answer = await host.scan(...args)
        time.pass(time.late)
        return answer
      },
    }))
    const db = await openMemory({ storage: nodeStorage(path), shardThreads: { ...shardThreads, ...options } })
    await db.observeMany(said(60))
    await filled(db)
    const expected = await found(db, say(7))
    const ask = async (times: number): Promise<boolean[]> => {
      const shared = []
      for (let i = 0; i < times; i++) {
        const before = Math.min(...shardThreads.asked)
        expect(await found(db, say(7))).toEqual(expected)
        shared.push(Math.min(...shardThreads.asked) > before)
      }
      // they rest, and are not given back
      expect(await db.stats()).toMatchObject({ shards: { threads: 2, episodes: 40 } })
      return shared
    }
    await use(time, ask)
    await db.close()
  })
}

const all = (times: number, value: boolean) => Array<boolean>(times).fill(value)

test('threads that were late eight times in a row rest for a minute, and share again after it', () =>
  withTime({}, async (time, ask) => {
    time.late = 5
    expect(await ask(10)).toEqual([...all(8, true), false, false])
    time.pass(59_999)
    expect(await ask(1)).toEqual([false])
    time.pass(1)
    expect(await ask(10)).toEqual([...all(8, true), false, false]) // still late
    time.pass(60_000)
    time.late = 0
    expect(await ask(20)).toEqual(all(20, true))
  }))

test('one that is in time makes up for those that were late before', () =>
  withTime({ patience: 3 }, async (time, ask) => {
    for (let i = 0; i < 4; i++) {
      time.late = 5
      expect(await ask(2)).toEqual([true, true])
      time.late = 0
      expect(await ask(1)).toEqual([true])
    }
    time.late = 5
    expect(await ask(4)).toEqual([true, true, true, false])
  }))
