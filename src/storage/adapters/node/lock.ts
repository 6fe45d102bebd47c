import {
  accessSync,
  constants,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import type { Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDenied } from '../../../base/denied.js'
import { AgidbError } from '../../../base/errors.js'
import { fileError, guard } from './file.js'
import { tryFlock } from './flock.js'
import { judge, refusal, thisProcess, type Holder } from './holder.js'
import { connectTo, listenAs, socketName, type Listening, type Serve } from './socket.js'

/** How file systems say that they have no links. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']
/** How they say that something has the name that a folder is to get. */
const TAKEN = ['EEXIST', 'ENOTEMPTY', 'ENOTDIR']
/** The file that says who holds a lock that is a folder. */
const INSIDE = 'holder'
/** Milliseconds after which a lock that cannot be read is none: an earlier version may be writing it. */
const WRITING = 100
/**
 * How often in a row a lock may be taken by somebody and gone when it is read. Something that has its name and is never
 * gone is no lock: a link that leads nowhere, a folder with other things in it.
 */
const MOST_GONE = 100

/** A lock that this process holds. */
export interface Lock {
  /** Why others can tell by its number alone whether this process lives; `undefined` where they can ask it. */
  readonly unasked?: string
  release(): void
}

/** What the holder of a lock does for other processes. */
export interface Served {
  /** By which it knows those that may read the lock file. */
  readonly key: string
  readonly serve: Serve
}

/** The holder of a lock, as another process reaches it. */
export interface ReachedHolder {
  readonly socket: Socket
  readonly key: string
}

/** A lock that somebody holds, and the file that says who. */
interface Held {
  readonly holder: Holder
  readonly file: string
}

/**
 * Takes a lock file. A lock whose holder is dead is taken over at once; who holds it listens on a socket that ends with
 * its process or thread, so that others can tell, also from another container of this machine.
 *
 * A lock appears by `link` or, where the file system has no links, by giving a folder its name: so it is never seen
 * half-written. To take over a dead holder's lock one must first hold the lock named after that holder's token: so one
 * process at a time can remove it, and only while it is still the same.
 *
 * @throws AgidbError `AGIDB_IN_USE` naming the process when the holder lives or this cannot be found out, and the
 * machine when it is on another one; `AGIDB_STORAGE` when the lock cannot be made; `AGIDB_UNSUPPORTED` where there is
 * something to serve and no socket can be made.
 *
 * @param served what is done for other processes that connect and show the key.
 */
export async function takeLock(path: string, served?: Served): Promise<Lock> {
  const token = crypto.randomUUID()
  const draft = `${path}.${token}`
  const ends: (() => void)[] = []
  const release = (): void => endAll(ends)
  try {
    expectWritable(dirname(path))
    const before = read(path)
    if (before !== undefined) await refuseIfHeld(path, before) // before anything is made in the folder
    const { socket, unasked } = await listenFor(dirname(path), token, served?.serve)
    if (socket !== undefined) ends.push(() => socket.close())
    else if (served !== undefined) throw cannotServe(unasked)
    const self: Holder = { ...thisProcess(token), socket: socket?.kind, key: served?.key }
    ends.push(write(draft, self))
    await take(path, draft, self)
    ends.unshift(() => giveBack(path, token))
    return { unasked, release }
  } catch (error) {
    release()
    throw error instanceof AgidbError ? error : fileError(error, `taking the lock ${path}`)
  } finally {
    rmSync(draft, { force: true })
  }
}

/**
 * For a folder in which no lock can be made: looks whether somebody has it open.
 *
 * @throws AgidbError `AGIDB_IN_USE` when the holder of its lock is known to live.
 */
export async function expectUnlocked(path: string): Promise<void> {
  const held = guard(`reading the lock ${path}`, () => read(path))
  if (held === undefined) return
  const verdict = await judge(dirname(path), held.file, held.holder)
  if (verdict === 'lives') throw refusal(verdict, path, held.holder)
}

/** Connects to the holder of a lock; `undefined` where it has no holder, or its holder takes no connections. */
export async function reachHolder(path: string): Promise<ReachedHolder | undefined> {
  const holder = guard(`reading the lock ${path}`, () => read(path))?.holder
  if (holder?.socket === undefined || typeof holder.key !== 'string') return undefined
  const socket = await connectTo(dirname(path), holder.token, holder.socket)
  return socket && { socket, key: holder.key }
}

function cannotServe(reason = 'unknown'): AgidbError {
  const message =
    `share: true needs a socket in the folder of the memory, and none can be made (${reason}): ` +
    'use a folder on a local disk, or open the memory in one process alone'
  return new AgidbError('AGIDB_UNSUPPORTED', message, { reason })
}

/** Throws the system's error where no file can be made. Deno without `--allow-sys` cannot tell before it tries. */
function expectWritable(folder: string): void {
  try {
    accessSync(folder, constants.W_OK)
  } catch (error) {
    if (!isDenied(error)) throw error
  }
}

/** Gives the draft the name of the lock, as soon as the holder turns out to be dead. */
async function take(path: string, draft: string, self: Holder): Promise<void> {
  for (let unreadable = 0, gone = 0; !place(draft, path); ) {
    const held = read(path)
    if (held === undefined) {
      if (gone++ === MOST_GONE) throw noLock(path)
      await sleep(1)
      continue
    }
    gone = 0
    if (held.holder.pid === 0 && unreadable++ === 0) {
      await sleep(WRITING)
      continue
    }
    await refuseIfHeld(path, held)
    await takeOver(path, held.holder, self)
  }
}

function noLock(path: string): AgidbError {
  const message =
    `${path} is neither the lock of a program nor free (a link that leads nowhere, or a folder with other things): ` +
    'delete it and open the database again'
  return new AgidbError('AGIDB_STORAGE', message, { path })
}

/** Removes the lock of a dead holder, and what else is left of it. */
async function takeOver(path: string, { token: dead }: Holder, self: Holder): Promise<void> {
  const second = `${path}.of-${dead}`
  const draft = `${second}.${self.token}`
  const ends: (() => void)[] = []
  try {
    ends.push(write(draft, self))
    await take(second, draft, self)
    ends.unshift(() => giveBack(second, self.token))
    if (read(path)?.holder.token !== dead) return
    remove(path, self.token)
    rmSync(join(dirname(path), socketName(dead)), { force: true })
  } finally {
    rmSync(draft, { force: true })
    endAll(ends)
  }
}

/** Calls all of them, in their order, also when one throws; then throws what that threw. */
function endAll(ends: (() => void)[]): void {
  try {
    ends.shift()?.()
  } finally {
    if (ends.length > 0) endAll(ends)
  }
}

async function refuseIfHeld(path: string, { holder, file }: Held): Promise<void> {
  const verdict = await judge(dirname(path), file, holder)
  if (verdict !== 'dead') throw refusal(verdict, path, holder)
}

/** Listens, or says why that is not possible here. */
async function listenFor(
  folder: string,
  token: string,
  serve?: Serve,
): Promise<{ socket?: Listening; unasked?: string }> {
  try {
    return { socket: await listenAs(folder, token, serve) }
  } catch (error) {
    return { unasked: (error as Error).message }
  }
}

/** Writes down who is to hold a lock. Answers what gives its `flock` back, where there is such a thing. */
function write(draft: string, self: Holder): () => void {
  writeFileSync(draft, JSON.stringify(self), { mode: 0o600 })
  const flock = tryFlock(draft)
  if (typeof flock !== 'function') return () => {}
  writeFileSync(draft, JSON.stringify({ ...self, flock: true } satisfies Holder))
  return flock
}

/** Gives the draft its name; false when something has that name already. */
function place(draft: string, path: string): boolean {
  try {
    linkSync(draft, path)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return false
    if (!NO_LINKS.includes(code ?? '')) throw error
    return placeFolder(draft, path)
  }
}

/**
 * For file systems without links: moves the draft into a folder, which takes the name at once, and only from an empty
 * folder.
 */
function placeFolder(draft: string, path: string): boolean {
  const folder = `${draft}.folder`
  const inside = join(folder, INSIDE)
  mkdirSync(folder, { mode: 0o700 })
  try {
    renameSync(draft, inside)
    renameSync(folder, path)
    return true
  } catch (error) {
    if (existsSync(inside)) renameSync(inside, draft)
    rmdirSync(folder)
    if (TAKEN.includes((error as NodeJS.ErrnoException).code ?? '') || existsSync(path)) return false
    throw error
  }
}

/** Who holds a lock; `undefined` when it is gone by now. A file that cannot be read is no lock. */
function read(path: string): Held | undefined {
  for (const file of [path, join(path, INSIDE)]) {
    try {
      return { holder: parse(readFileSync(file, 'utf8')), file }
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENOENT') break
      if (code !== 'EISDIR') throw error
    }
  }
  removeEmpty(path)
  return undefined
}

function parse(text: string): Holder {
  try {
    const holder = JSON.parse(text) as Partial<Holder> | null
    if (Number.isInteger(holder?.pid) && /^[\w-]+$/.test(holder?.token ?? '')) return holder as Holder
  } catch {
    // Falls through: not JSON.
  }
  return { pid: 0, token: 'unreadable' }
}

/** A folder without a holder remains of a lock whose removal was interrupted. */
function removeEmpty(path: string): void {
  try {
    rmdirSync(path)
  } catch {
    // It is no folder, or not there, or somebody has taken the lock.
  }
}

function giveBack(path: string, token: string): void {
  guard(`giving back the lock ${path}`, () => {
    if (read(path)?.holder.token === token) remove(path, token)
  })
}

/** Removes a lock, file or folder. A folder gives up its name at once. */
function remove(path: string, token: string): void {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return rmSync(path, { force: true })
  const aside = `${path}.${token}.old`
  renameSync(path, aside)
  rmSync(aside, { recursive: true, force: true })
}
