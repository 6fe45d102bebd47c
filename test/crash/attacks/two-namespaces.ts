import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { random } from '../../fuzz/mutate.js'
import type { Attack } from './attack.js'
import { outcomeOfWritten, written } from './acknowledged.js'
import { acknowledged, follow, type Said } from './lines.js'
import { openFolder, withFolder } from './memory.js'

const WRITER = fileURLToPath(new URL('write-folder.ts', import.meta.url))
const CONTAINER = ['--pid', '--fork', '--mount-proc', '--kill-child']
/** What a container may have of its own besides its processes. */
const MORE = [[], ['--net'], ['--uts'], ['--net', '--uts', '--ipc']]
const COUNT = 12

interface Contained extends Said {
  readonly process: ChildProcess
}

/** A writer in namespaces of its own. */
function contain(more: readonly string[], ...args: readonly string[]): Contained {
  const command = [...CONTAINER, ...more, process.execPath, '--import', 'tsx', WRITER, ...args]
  const child = spawn('unshare', command, { stdio: ['ignore', 'pipe', 'inherit'] })
  return { process: child, ...follow(child.stdout!) }
}

async function kill({ process: child }: Contained): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const closed = once(child, 'close') // also the output, which the process in the namespace has
  child.kill('SIGKILL')
  await closed
}

/** Two containers write to one folder; the first that gets it is killed at some moment, then the other one writes. */
export const twoNamespaces: Attack = {
  name: 'two-namespaces',
  summary: 'two processes in PID namespaces of their own (unshare --pid) write to one folder; each is killed in turn',
  impossible() {
    const { status, stderr, error } = spawnSync('unshare', [...CONTAINER, 'true'], { encoding: 'utf8' })
    if (status === 0) return undefined
    return `unshare --pid is not permitted here (${error?.message ?? stderr.trim()}); run it as root on Linux`
  },
  run: (seed) =>
    withFolder(async (path) => {
      const from = random(seed, 0)
      await (await openFolder(path)).close()
      const writers = ['a', 'b'].map((name) => contain(from.pick(MORE), path, name, String(COUNT)))
      try {
        const first = await Promise.any(writers.map((writer) => writer.line('open').then(() => writer)))
        const second = writers.find((writer) => writer !== first)!
        await first.line(from.pick(['ok', `ok ${first === writers[0] ? 'a' : 'b'}${from.below(COUNT)}`, 'done']))
        await sleep(from.below(20))
        if (second.lines.length > 0) throw new Error('both processes have the memory open')
        await kill(first)
        await second.line(from.pick(['ok', 'done']))
      } finally {
        await Promise.all(writers.map(kill))
      }
      const planned = new Map(['a', 'b'].flatMap((name) => [...written(name, COUNT)]))
      return outcomeOfWritten(path, planned, acknowledged(...writers))
    }),
}
