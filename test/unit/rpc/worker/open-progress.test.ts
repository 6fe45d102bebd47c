import { expect, test } from 'vitest'
import type { OpenProgress } from '../../../../src/api/open-progress.js'
import { encodeOpenOptions, portsOf } from '../../../../src/rpc/codec/open-options.js'
import { connect } from '../../../../src/rpc/worker/connect.js'
import { receiveProgress } from '../../../../src/rpc/codec/progress-port.js'
import { open, thread } from './thread.js'

const STEPS: readonly OpenProgress[] = [
  { what: 'codebook', done: 5 },
  { what: 'codebook', done: 7, of: 7 },
]

/** Opens in a thread that tells of two steps; resolves once the page's function was told of both. */
async function opened(onProgress: (progress: OpenProgress) => void): Promise<readonly OpenProgress[]> {
  const all: OpenProgress[] = []
  let arrived!: () => void
  const everything = new Promise<void>((resolve) => (arrived = resolve))
  const sent = encodeOpenOptions({
    extract: 'none',
    onProgress: (progress) => {
      if (all.push(progress) === STEPS.length) arrived()
      onProgress(progress)
    },
  })
  expect(portsOf(sent).includes(sent.onProgress!)).toBe(true)
  const { thread: engine } = thread(({ onProgress: port, ...options }) => {
    for (const step of STEPS) receiveProgress(port!)(step)
    return open(options)
  })
  const db = await connect(engine, sent)
  expect((await db.stats()).episodes).toBe(0)
  await everything
  await db.close()
  return all
}

test("the page's function is told by an engine in another thread", async () => {
  expect(await opened(() => {})).toEqual(STEPS)
})

test('what it throws stays in the page', async () => {
  const fails = () => {
    throw new Error('no')
  }
  expect(await opened(fails)).toEqual(STEPS)
})
