import { expect, test, vi } from 'vitest'
import { CompactionSchedule } from '../../../src/maintenance/compaction-schedule.js'

const MB = 2 ** 20

test('while much garbage is compacted, no second compaction of it is asked for', async () => {
  vi.useFakeTimers()
  try {
    const running: (() => void)[] = []
    const storage = {
      stats: async () => ({ bytes: 0 }),
      maintenance: {
        garbage: () => ({ bytes: 50 * MB, of: 60 * MB }),
        compact: () => new Promise<void>((resolve) => running.push(resolve)),
      },
    }
    const checkpoints = { keep: async () => {} }
    const schedule = new CompactionSchedule(storage as never, checkpoints as never, { finish: async () => {} } as never)
    const wrote = async (): Promise<void> => {
      schedule.committed(1_000)
      await vi.advanceTimersByTimeAsync(5_000)
    }
    await wrote()
    await wrote()
    expect(running).toHaveLength(1)
    running[0]()
    await wrote()
    await wrote()
    expect(running).toHaveLength(2)
    schedule.close()
  } finally {
    vi.useRealTimers()
  }
})
