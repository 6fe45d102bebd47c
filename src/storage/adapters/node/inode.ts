import { statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { AgidbError } from '../../../base/errors.js'
import { tryFlock } from './flock.js'
import { guard } from './file.js'
import { addressOf, listen } from './socket.js'

/**
 * How often a claim is asked for before a file counts as open elsewhere, and the milliseconds between. The inode of a
 * deleted file can be a new file's before the claim of the process that had it open has ended.
 */
const ATTEMPTS = 6
const PAUSE = 40

/** Files that are this process's alone, whatever their names. */
export interface Claim {
  /** Those that have more names than one (hard links). */
  readonly linked: readonly string[]
  release(): void
}

/** The function that gives a claim back; `held` when another has it; `undefined` where the system has none. */
type Attempt = (() => void) | 'held' | undefined

/**
 * Claims files by their inodes, which a copy made of hard links shares with its original although the two have
 * different locks. Linux: a socket in the abstract namespace, named after device and inode; Windows: a named pipe;
 * Deno: `flock`, too. A claim ends with the process. It holds within one network namespace, but for `flock`.
 *
 * @throws AgidbError `AGIDB_IN_USE` when a file is open under another name; `AGIDB_STORAGE` when a file has several
 * names and this system has no means to tell.
 */
export async function claimFiles(paths: readonly string[]): Promise<Claim> {
  const held: (() => void)[] = []
  const linked: string[] = []
  const release = (): void => held.splice(0).forEach((giveBack) => giveBack())
  try {
    for (const path of paths) {
      const { dev, ino, nlink } = guard(`looking at ${path}`, () => statSync(path, { bigint: true }))
      const claims = [await patiently(async () => tryFlock(path)), await patiently(() => claimName(`${dev}-${ino}`))]
      for (const claim of claims) if (typeof claim === 'function') held.push(claim)
      if (claims.includes('held')) throw openElsewhere(path)
      if (nlink <= 1n) continue
      if (claims.every((claim) => claim === undefined)) throw untold(path, nlink)
      linked.push(path)
    }
  } catch (error) {
    release()
    throw error
  }
  return { linked, release }
}

/** Asks for a claim again while another has it. */
async function patiently(claim: () => Promise<Attempt>): Promise<Attempt> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await claim()
    if (outcome !== 'held' || attempt === ATTEMPTS) return outcome
    await sleep(PAUSE)
  }
}

async function claimName(name: string): Promise<Attempt> {
  const kind = ({ linux: 'abstract', win32: 'pipe' } as const)[process.platform as string]
  if (kind === undefined) return undefined
  try {
    return await listen(addressOf(kind, name))
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EADDRINUSE' ? 'held' : undefined
  }
}

function openElsewhere(path: string): AgidbError {
  const message =
    `${path} is open already, under another name (a hard link) or without its lock: close it there first; ` +
    'for a memory of its own, copy the folder without hard links'
  return new AgidbError('AGIDB_IN_USE', message, { path })
}

function untold(path: string, names: bigint): AgidbError {
  const message =
    `${path} has ${names} names (hard links), and this system does not tell whether it is open under another one: ` +
    'copy the folder without hard links and open the copy'
  return new AgidbError('AGIDB_STORAGE', message, { path, names: Number(names) })
}
