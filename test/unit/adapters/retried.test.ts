import { expect, test, vi } from 'vitest'
import { retried } from '../../../src/adapters/retried.js'
import { AgidbError, type ErrorCode } from '../../../src/base/errors.js'

/** A write that fails so many times, and how often it was tried. */
function failing(
  times: number,
  code: ErrorCode,
): { readonly write: () => Promise<void>; readonly tries: () => number } {
  let tries = 0
  return {
    tries: () => tries,
    async write() {
      if (++tries <= times) throw new AgidbError(code, 'another call was first')
    },
  }
}

test.each([
  'AGIDB_DUPLICATE_ID',
  'AGIDB_NOT_FOUND',
] as const)('a write that another call got ahead of (%s) is tried again', async (code) => {
  const { write, tries } = failing(2, code)
  await retried(write)
  expect(tries()).toBe(3)
})

test('it is given up after ten attempts, and at once where the error is another', async () => {
  const often = failing(Infinity, 'AGIDB_DUPLICATE_ID')
  vi.useFakeTimers()
  try {
    const refused = expect(retried(often.write)).rejects.toMatchObject({ code: 'AGIDB_DUPLICATE_ID' })
    await vi.advanceTimersByTimeAsync(10_000)
    await refused
  } finally {
    vi.useRealTimers()
  }
  expect(often.tries()).toBe(10)
  const other = failing(1, 'AGIDB_QUOTA')
  await expect(retried(other.write)).rejects.toMatchObject({ code: 'AGIDB_QUOTA' })
  expect(other.tries()).toBe(1)
})

test('other calls get their turn between two attempts', async () => {
  let isThere = false
  setTimeout(() => (isThere = true), 20)
  await retried(async () => {
    if (!isThere) throw new AgidbError('AGIDB_DUPLICATE_ID', 'its episode is not durable yet')
  })
  expect(isThere).toBe(true)
})
