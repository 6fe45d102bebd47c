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

/** Runs a command with nothing on its standard input. */
export function agidb(...args: string[]): Promise<Outcome> {
  const child = start(...args)
  child.stdin!.end()
  return outcomeOf(child)
}

/** {@link agidb} with further environment variables. */
export function agidbWith(variables: Readonly<Record<string, string>>, ...args: string[]): Promise<Outcome> {
  const env = { ...process.env, NO_COLOR: '1', ...variables }
  const command = [MAIN, ...args]
  return outcomeOf(spawn(process.execPath, command, { env, stdio: ['ignore', 'pipe', 'pipe'] }))
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
