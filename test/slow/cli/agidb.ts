import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, inject } from 'vitest'

/** See `setup.ts`. */
const MAIN = inject('cli')

/** What a command left behind. */
export interface Outcome {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Starts the command line in a process of its own. */
export function start(...args: string[]): ChildProcess {
  return spawn(process.execPath, [MAIN, ...args], { env: { ...process.env, NO_COLOR: '1' } })
}

/** Runs a command that may write no file larger than this many KiB, as on a disk that is full. */
export function agidbWithin(kib: number, ...args: string[]): Promise<Outcome> {
  const command = [process.execPath, MAIN, ...args]
  return outcomeOf(
    spawn('bash', ['-c', `ulimit -f ${kib}; exec "$@"`, 'bash', ...command], {
      env: { ...process.env, NO_COLOR: '1' },
    }),
  )
}

/** Waits for a process and collects what it writes. */
export async function outcomeOf(child: ChildProcess): Promise<Outcome> {
  let out = ''
  let err = ''
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    out += text
  })
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    err += text
  })
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { code, out, err }
}

/** Runs a command in this process, which saves the second that a process takes to start. It reads no standard input. */
export function agidb(...args: string[]): Promise<Outcome> {
  return agidbWith({}, ...args)
}

/** {@link agidb} with further environment variables. */
export function agidbWith(variables: Readonly<Record<string, string>>, ...args: string[]): Promise<Outcome> {
  const outcome = last.then(() => outcomeHere(args, { NO_COLOR: '1', ...variables }))
  last = outcome.catch(() => undefined)
  return outcome
}

/** The command that runs here: they share the streams of the process, so one ends before the next begins. */
let last: Promise<unknown> = Promise.resolve()

async function outcomeHere(args: readonly string[], variables: Readonly<Record<string, string>>): Promise<Outcome> {
  const module: unknown = await import(MAIN.replace(/main\.js$/, 'run.js'))
  const { run } = module as { run: (args: readonly string[]) => Promise<number> }
  const before = { env: process.env, exitCode: process.exitCode }
  const out = capture(process.stdout)
  const err = capture(process.stderr)
  process.env = { ...before.env, ...variables }
  try {
    return { code: await run(args), out: out.end(), err: err.end() }
  } finally {
    for (const stream of [out, err]) stream.end()
    Object.assign(process, before)
  }
}

/** Keeps what is written to a stream, until its end. */
function capture(stream: NodeJS.WriteStream): { end: () => string } {
  const pieces: Buffer[] = []
  const { write } = stream
  stream.write = (piece: string | Uint8Array) => {
    pieces.push(Buffer.from(piece as string))
    return true
  }
  return {
    end() {
      stream.write = write
      return Buffer.concat(pieces).toString()
    },
  }
}

/** A folder for a test file; gone after its tests. */
export function scratch(): { path: (name: string) => string; write: (name: string, text: string) => string } {
  const folder = mkdtempSync(join(tmpdir(), 'agidb-cli-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const path = (name: string) => join(folder, name)
  return {
    path,
    write(name, text) {
      writeFileSync(path(name), text)
      return path(name)
    },
  }
}
