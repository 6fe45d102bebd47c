import { constants, copyFileSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { AgidbError } from '../core/errors.js'
import { fileError, guard } from './node-file.js'

/** How file systems say that they have no links. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']

/** Who holds a lock. */
interface Holder {
  /** Name of the machine. Absent in locks of earlier versions. */
  readonly host?: string
  readonly pid: number
  /** When the process started: boot id and clock ticks since boot. Absent where the system does not say. */
  readonly started?: string
  /** Different for each time that a lock is taken. */
  readonly token: string
}

/**
 * Takes a lock file, and answers the function that gives it back. A lock whose holder is dead is
 * taken over at once. Throws `AGIDB_IN_USE` naming the process when the holder lives, and naming the machine when it
 * is on another one, where nobody can tell from here whether it lives.
 *
 * A lock file appears by `link`, so it is never seen half-written. To take over a dead holder's lock
 * one must first hold the lock named after that holder's token: so one process at a time can replace
 * it, and only while it is still the same.
 */
export function takeLock(path: string): () => void {
  const token = crypto.randomUUID()
  const self: Holder = { host: hostname(), pid: process.pid, started: startOf(process.pid), token }
  const draft = `${path}.${token}`
  try {
    writeFileSync(draft, JSON.stringify(self), { mode: 0o600 })
    while (!link(draft, path)) {
      const holder = read(path)
      if (!holder) continue
      if (isElsewhere(holder)) throw elsewhere(path, holder)
      if (isAlive(holder)) throw inUse(path, holder)
      const giveBack = takeLock(`${path}.of-${holder.token}`)
      try {
        if (read(path)?.token !== holder.token) continue
        renameSync(draft, path)
        break
      } finally {
        giveBack()
      }
    }
  } catch (error) {
    throw error instanceof AgidbError ? error : fileError(error, `taking the lock ${path}`)
  } finally {
    rmSync(draft, { force: true })
  }
  return () => {
    guard(`giving back the lock ${path}`, () => {
      if (read(path)?.token === token) rmSync(path, { force: true })
    })
  }
}

function link(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return false
    if (!NO_LINKS.includes(code ?? '')) throw error
    return copy(from, to)
  }
}

/** For file systems without links. */
function copy(from: string, to: string): boolean {
  try {
    copyFileSync(from, to, constants.COPYFILE_EXCL)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** The holder of a lock; `undefined` when the file is gone by now. What cannot be read was no lock of ours: nobody holds it. */
function read(path: string): Holder | undefined {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  try {
    const holder = JSON.parse(text) as Partial<Holder> | null
    if (Number.isInteger(holder?.pid) && /^[\w-]+$/.test(holder?.token ?? '')) return holder as Holder
  } catch {
    // Falls through: not JSON.
  }
  return { pid: 0, token: 'unreadable' }
}

function isElsewhere({ host }: Holder): boolean {
  return typeof host === 'string' && host !== hostname()
}

function isAlive({ pid, started }: Holder): boolean {
  if (pid <= 0) return false
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: it lives, under another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  const now = startOf(pid)
  return started === undefined || now === undefined || now === started
}

/** Tells a process from an earlier one with the same number. Linux only; `''` for one that is dead but not yet reaped. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name, in parentheses, may hold anything. After it: state is field 3, start time field 22 (proc_pid_stat(5)).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (fields[0] === 'Z' || fields[0] === 'X') return ''
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${fields[19]}`
  } catch {
    return undefined
  }
}

function elsewhere(path: string, { host, pid }: Holder): AgidbError {
  const message =
    `process ${pid} of the machine ${host} has this database open: close it there first; ` +
    `if that machine is gone or has another name now, delete ${path} and open it again`
  return new AgidbError('AGIDB_IN_USE', message, { pid, host, lock: path })
}

function inUse(path: string, holder: Holder): AgidbError {
  const who = holder.pid === process.pid ? `this process (${holder.pid})` : `process ${holder.pid}`
  const message = `${who} has this database open: close it there first (its lock is ${path})`
  return new AgidbError('AGIDB_IN_USE', message, { pid: holder.pid, lock: path })
}
