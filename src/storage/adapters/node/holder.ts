import { createHash } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { AgidbError } from '../../../base/errors.js'
import { tryFlock } from './flock.js'
import { askWhether, type Answer, type SocketKind } from './socket.js'

/** Where a process runs. What the system or the runtime does not say is absent. */
export interface Surroundings {
  /** Name of the machine, or of the container. */
  readonly host?: string
  /** A digest of the machine's id (machine-id(5)), which a restart leaves as it is. */
  readonly machine?: string
  /** Id of the kernel's boot: the same in all containers of a machine. */
  readonly boot?: string
  /** The namespaces (namespaces(7)) in which its process id and its abstract sockets mean something. */
  readonly pidNamespace?: string
  readonly netNamespace?: string
}

/** Who holds a lock. */
export interface Holder extends Surroundings {
  readonly pid: number
  /** When the process started: boot id and clock ticks since boot. */
  readonly started?: string
  /** The socket on which it listens while it lives. */
  readonly socket?: SocketKind
  /** What it answers other processes to on its socket, as far as they show this: they may read the lock file, too. */
  readonly key?: string
  /** Whether it has a `flock` on the lock file while it lives. */
  readonly flock?: boolean
  /** Different for each time that a lock is taken. */
  readonly token: string
}

/** Where this process runs, as far as it is told. */
function surroundings(): Surroundings {
  return {
    host: told(hostname),
    machine: told(() => digest(readFileSync('/etc/machine-id', 'utf8').trim())),
    boot: told(bootId),
    pidNamespace: told(() => readlinkSync('/proc/self/ns/pid')),
    netNamespace: told(() => readlinkSync('/proc/self/ns/net')),
  }
}

/** The id itself must not be shown to others (machine-id(5)). */
function digest(id: string): string {
  return createHash('sha256').update(`agidb lock ${id}`).digest('hex').slice(0, 32)
}

/** This process as the holder of a lock. */
export function thisProcess(token: string): Holder {
  return { ...surroundings(), pid: process.pid, started: startOf(process.pid), token }
}

/**
 * What is known of the holder of a lock: that its process lives; that it is dead; or neither, because it is on another
 * machine, in another container, or because this program may not ask.
 */
export type Verdict = 'lives' | 'dead' | 'elsewhere' | 'contained' | 'untold'

/**
 * Finds out whether the holder of a lock lives.
 *
 * @param folder in which the lock is
 * @param file that says who holds it, and has the `flock` if there is one
 */
export async function judge(folder: string, file: string, holder: Holder): Promise<Verdict> {
  const here = surroundings()
  const { socket, token } = holder
  const answer = socket === undefined ? 'unknown' : await askWhether(folder, token, socket)
  if (answer === 'listens') return 'lives'
  const flock = holder.flock ? tryFlock(file) : undefined
  if (flock === 'held') return 'lives'
  flock?.()

  const sameBoot = same(holder.boot, here.boot)
  // After a restart the machine has another boot id, and nothing that ran before.
  if (sameBoot === false) return isSameMachine(holder, here) ? 'dead' : 'elsewhere'
  if (sameBoot === undefined && same(holder.host, here.host) === false) return 'elsewhere'
  if (provesDeath(answer, holder, here) || flock !== undefined) return 'dead'
  if (same(holder.pidNamespace, here.pidNamespace) === false) return 'contained'
  // A holder that does not say where it runs may be in another container; a program that is not told cannot compare.
  if (sameBoot === undefined && (holder.flock === true || holder.boot !== undefined)) return 'untold'
  return livesByNumber(holder)
}

/** The error that says why a lock may not be taken. */
export function refusal(verdict: Exclude<Verdict, 'dead'>, path: string, holder: Holder): AgidbError {
  const { pid, host, pidNamespace } = holder
  const who = pid === process.pid ? `this process (${pid})` : `process ${pid}`
  const messages = {
    lives: `${who} has this database open: close it there first (its lock is ${path})`,
    elsewhere:
      `process ${pid} of the machine ${host} has this database open: close it there first; ` +
      `if that machine is gone or has another name now, delete ${path} and open it again`,
    contained:
      `process ${pid} of another container (host ${host}, namespace ${pidNamespace}) took the lock of this database, ` +
      'and whether it lives cannot be told from here: close it there first; ' +
      `if that container is gone, delete ${path} and open it again`,
    untold:
      `process ${pid} took the lock of this database, and this program may not find out whether it lives: ` +
      'close it there first; ' +
      `if it has ended, delete ${path} and open it again (in Deno, --allow-all lets the program find out)`,
  }
  const details = verdict === 'elsewhere' || verdict === 'contained' ? { pid, host, lock: path } : { pid, lock: path }
  return new AgidbError('AGIDB_IN_USE', messages[verdict], details)
}

/**
 * Whether a socket without a listener means that the process is dead. macOS refuses, too, when more wait than the
 * listener's queue takes (connect(2)); there it counts only for a thread of this process.
 */
function provesDeath(answer: Answer, { socket, pid, boot, netNamespace }: Holder, here: Surroundings): boolean {
  if (answer === 'absent') return socket === 'pipe'
  if (answer !== 'refused') return false
  if (boot === undefined || here.boot === undefined) return pid === process.pid && process.platform !== 'linux'
  return socket === 'folder' || same(netNamespace, here.netNamespace) === true
}

function isSameMachine(holder: Holder, here: Surroundings): boolean {
  return same(holder.host, here.host) === true && same(holder.machine, here.machine) !== false
}

/** Whether two facts are the same; `undefined` when one is not known. */
function same(a: string | undefined, b: string | undefined): boolean | undefined {
  return typeof a === 'string' && typeof b === 'string' ? a === b : undefined
}

/** Whether a process with this number lives here and is the one that took the lock. */
function livesByNumber({ pid, started }: Holder): 'lives' | 'dead' | 'untold' {
  if (pid <= 0) return 'dead'
  try {
    process.kill(pid, 0)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ESRCH') return 'dead'
    // EPERM: it lives, under another user.
    if (code !== 'EPERM') return 'untold'
  }
  const now = startOf(pid)
  return started === undefined || now === undefined || now === started ? 'lives' : 'dead'
}

/**
 * Tells a process from an earlier one with the same number. Linux only; `''` for one that is dead but not yet reaped.
 */
function startOf(pid: number): string | undefined {
  return told(() => {
    // In a namespace of processes that has the /proc of another one, numbers there mean other processes.
    if (readlinkSync('/proc/self') !== String(process.pid)) return undefined
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name, in parentheses, may hold anything. After it: state is field 3, start time field 22 (proc_pid_stat(5)).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' || fields[0] === 'X' ? '' : `${bootId()}:${fields[19]}`
  })
}

function bootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
}

/** What `ask` answers; `undefined` where the system does not say it, or the runtime does not allow to ask. */
function told<T>(ask: () => T): T | undefined {
  try {
    return ask()
  } catch {
    return undefined
  }
}
