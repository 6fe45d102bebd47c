import { timingSafeEqual } from 'node:crypto'
import type { Socket } from 'node:net'
import { serialize } from 'node:v8'

/** The first version of what processes say to each other. */
const PROTOCOL = 1
/** Bytes of a greeting, at most. */
const MAX_GREETING = 4_096
/** Milliseconds for the greeting of a new connection. Many only test whether this process lives, and send none. */
const GREETING_MS = 10_000
const LINE_END = 0x0a

/** What a process says first to the one that has the lock. */
interface Greeting {
  readonly agidb: number
  /** How data is serialized: processes of different runtimes do not understand each other. */
  readonly format: string
  readonly key: string
  /** The channels that it listens to. */
  readonly names: readonly string[]
}

/** Why the process that has the lock does not talk to this one; `null` if it does. */
interface Answer {
  readonly refused: string | null
}

/** A connection whose greeting was read, and the bytes that arrived after it. */
export interface Greeted<T> {
  readonly said: T
  readonly rest: Buffer
}

/** The runtime, and the version of its serialized data. */
function format(): string {
  const { bun, deno } = process.versions
  const runtime = bun !== undefined ? 'bun' : deno !== undefined ? 'deno' : 'node'
  return `${runtime} ${serialize(0).subarray(0, 2).toString('hex')}`
}

/**
 * Introduces this process to the one that has the lock. Answers why that one refuses, or `undefined` when the
 * connection ends first.
 */
export async function greet(
  socket: Socket,
  key: string,
  names: readonly string[],
): Promise<Greeted<Answer> | undefined> {
  send(socket, { agidb: PROTOCOL, format: format(), key, names } satisfies Greeting)
  return lineOf<Answer>(socket)
}

/**
 * Reads the greeting of a process and answers it. `undefined`, and the connection is ended, for one that does not know
 * the key, speaks otherwise, or says nothing.
 */
export async function welcome(socket: Socket, key: string): Promise<Greeted<Pick<Greeting, 'names'>> | undefined> {
  socket.setTimeout(GREETING_MS, () => socket.destroy())
  const greeted = await lineOf<Greeting>(socket)
  const refused = greeted === undefined ? 'no greeting' : refusal(greeted.said, key)
  if (refused === undefined) {
    send(socket, { refused: null } satisfies Answer)
    return greeted
  }
  if (greeted !== undefined && isKey(greeted.said.key, key)) send(socket, { refused } satisfies Answer)
  socket.destroySoon()
  return undefined
}

function refusal(greeting: Greeting, key: string): string | undefined {
  const { agidb, format: theirs, names } = greeting
  if (!isKey(greeting.key, key)) return 'a wrong key'
  if (agidb !== PROTOCOL) return `its version of agidb speaks protocol ${PROTOCOL}, this one ${agidb}`
  if (theirs !== format()) return `it runs on ${format()}, this process on ${theirs}`
  return Array.isArray(names) && names.every((name) => typeof name === 'string') ? undefined : 'no names'
}

function isKey(given: unknown, key: string): boolean {
  const [a, b] = [Buffer.from(String(given)), Buffer.from(key)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function send(socket: Socket, said: object): void {
  socket.write(`${JSON.stringify(said)}\n`)
}

/** The first line that arrives, as JSON; `undefined` when none arrives, or it is not JSON. */
function lineOf<T>(socket: Socket): Promise<Greeted<T> | undefined> {
  return new Promise((resolve) => {
    let bytes = Buffer.alloc(0)
    const end = (line?: Buffer, rest?: Buffer): void => {
      socket.off('data', read).off('close', end)
      socket.pause()
      resolve(line && rest && parsed(line, rest))
    }
    const read = (more: Buffer): void => {
      bytes = Buffer.concat([bytes, more])
      const at = bytes.indexOf(LINE_END)
      if (at >= 0) end(bytes.subarray(0, at), bytes.subarray(at + 1))
      else if (bytes.length > MAX_GREETING) end()
    }
    socket.on('data', read).once('close', () => end())
  })
}

function parsed<T>(line: Buffer, rest: Buffer): Greeted<T> | undefined {
  try {
    const said = JSON.parse(line.toString()) as T | null
    return typeof said === 'object' && said !== null ? { said, rest } : undefined
  } catch {
    return undefined
  }
}
