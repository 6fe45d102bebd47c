import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { random } from '../../fuzz/mutate.js'
import type { Attack } from './attack.js'
import { outcomeOfWritten, written } from './acknowledged.js'
import { acknowledged, follow } from './lines.js'
import { withFolder } from './memory.js'

const WRITER = fileURLToPath(new URL('write-folder.ts', import.meta.url))
/** Runs it in a thread: there `--import tsx` does not reach. */
const IN_THREAD = `import('tsx/esm/api').then(({ register }) => (register(), import(${JSON.stringify(WRITER)})))`
const COUNT = 12

/** Terminates a thread that writes, and opens the memory in the same process. */
export const endedThread: Attack = {
  name: 'ended-thread',
  summary: 'a thread that writes is terminated, and the same process opens the memory at once',
  run: (seed) =>
    withFolder(async (path) => {
      const from = random(seed, 0)
      const worker = new Worker(IN_THREAD, { eval: true, argv: [path, 'a', String(COUNT)], stdout: true })
      const said = follow(worker.stdout)
      await said.line(from.pick(['open', 'ok', `ok a${from.below(COUNT)}`, 'done']))
      await sleep(from.below(10))
      await worker.terminate()
      return outcomeOfWritten(path, written('a', COUNT), acknowledged(said))
    }),
}
