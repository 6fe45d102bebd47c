import { chmodSync, closeSync, constants, openSync, renameSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'

/**
 * What kind of socket a process listens on: a file in the folder of the memory, a name in the abstract namespace of
 * Linux (unix(7)), or a named pipe of Windows. The system takes each away from a process that ends, however it ends.
 */
export type SocketKind = 'folder' | 'abstract' | 'pipe'

/**
 * The result of an attempt to connect: a process listens; the socket exists and no process listens; no such socket;
 * or nothing, as when this process may not connect.
 */
export type Answer = 'listens' | 'refused' | 'absent' | 'unknown'

/** What a process does with those who connect to its socket. */
export type Serve = (socket: Socket) => void

/** A socket of this process. */
export interface Listening {
  readonly kind: SocketKind
  close(): void
}

/**
 * Bytes that the path of a Unix socket may have on every system: 104 with a zero at the end on macOS, 108 on Linux.
 */
const MOST_PATH_BYTES = 103
/** Milliseconds to wait for an answer. The kernel gives it, also for a process that is busy or stopped. */
const PATIENCE = 2_000

/** The name of the socket in a folder that belongs to the holder of a lock with this token. */
export function socketName(token: string): string {
  return `lock.${token}.sock`
}

/**
 * Listens on a socket that others can find by the token: in the folder or, where the file system has no sockets,
 * elsewhere on this machine. The socket does not keep the process alive. Rejects with the system's error where this
 * process may not listen.
 *
 * @param serve takes the connections. Default: each is ended at once, since that it came about says enough.
 */
export async function listenAs(folder: string, token: string, serve?: Serve): Promise<Listening> {
  if (process.platform === 'win32') return { kind: 'pipe', close: await listen(addressOf('pipe', token), serve) }
  try {
    return { kind: 'folder', close: await listenIn(folder, socketName(token), serve) }
  } catch (error) {
    if (process.platform !== 'linux') throw error
    const close = await listen(addressOf('abstract', token), serve).catch(() => {
      throw error
    })
    return { kind: 'abstract', close }
  }
}

/** Listens on a socket in a folder. */
async function listenIn(folder: string, name: string, serve?: Serve): Promise<() => void> {
  const path = join(folder, name)
  const draft = `${path}.new`
  const stop = await withPath(folder, `${name}.new`, (address) => listen(address, serve))
  const close = (): void => {
    stop()
    for (const left of [draft, path]) rmSync(left, { force: true })
  }
  try {
    if (serve !== undefined) chmodSync(draft, 0o600)
    // Runtimes delete the path that they listened on, also when a thread is terminated: nothing would be left to
    // refuse.
    renameSync(draft, path)
    return close
  } catch (error) {
    close()
    throw error
  }
}

/** Asks whether the process with this token listens. */
export async function askWhether(folder: string, token: string, kind: SocketKind): Promise<Answer> {
  try {
    return kind === 'folder' ? await withPath(folder, socketName(token), ask) : await ask(addressOf(kind, token))
  } catch {
    return 'unknown'
  }
}

/** Connects to the process with this token; `undefined` where none listens, or this process may not connect. */
export async function connectTo(folder: string, token: string, kind: SocketKind): Promise<Socket | undefined> {
  try {
    return kind === 'folder' ? await withPath(folder, socketName(token), open) : await open(addressOf(kind, token))
  } catch {
    return undefined
  }
}

function open(address: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ path: address })
    socket.once('connect', () => resolve(socket))
    socket.on('error', reject) // Later ones end the connection, and its user gets that event.
  })
}

/** The address of a socket without a file. */
export function addressOf(kind: Exclude<SocketKind, 'folder'>, name: string): string {
  return kind === 'pipe' ? `\\\\.\\pipe\\agidb-${name}` : `\0agidb-${name}`
}

/**
 * Listens on an address, and answers the function that ends it. Rejects with the system's error, `EADDRINUSE` when
 * somebody listens there already.
 */
export function listen(address: string, serve: Serve = (socket) => socket.destroy()): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => serve(socket.on('error', () => {})))
    server.on('error', reject) // Later ones change nothing, and must not end the program.
    // `exclusive`: a worker of node:cluster would else listen in its parent, which outlives it.
    server.listen({ path: address, exclusive: true }, () => {
      server.unref()
      resolve(() => void server.close())
    })
  })
}

function ask(address: string): Promise<Answer> {
  return new Promise((resolve) => {
    const socket = connect({ path: address })
    const end = (answer: Answer): void => {
      clearTimeout(timer)
      socket.destroy()
      resolve(answer)
    }
    const timer = setTimeout(() => end('unknown'), PATIENCE)
    socket.once('connect', () => end('listens'))
    socket.on('error', ({ code }: NodeJS.ErrnoException) => end(answerOf(code)))
  })
}

function answerOf(code: string | undefined): Answer {
  // Linux says EAGAIN when more wait than the listener's queue takes (connect(2)).
  if (code === 'EAGAIN') return 'listens'
  if (code === 'ECONNREFUSED') return 'refused'
  return code === 'ENOENT' ? 'absent' : 'unknown'
}

/**
 * Uses the path of a socket in a folder: where that is too long, one through an open folder of this process (proc(5)).
 */
async function withPath<T>(folder: string, name: string, use: (path: string) => Promise<T>): Promise<T> {
  const path = join(folder, name)
  if (Buffer.byteLength(path) <= MOST_PATH_BYTES) return use(path)
  if (process.platform !== 'linux') throw new Error(`${path} is longer than the path of a socket may be`)
  const fd = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    return await use(`/proc/self/fd/${fd}/${name}`)
  } finally {
    closeSync(fd)
  }
}
