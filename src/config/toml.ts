import { readFileSync, statSync } from 'node:fs'
import { parse, TomlError } from 'smol-toml'
import { AgidbError } from '../base/errors.js'
import { KEYS } from './rows.js'

/** Bytes of a file at most. */
const MOST_BYTES = 65_536

/** A line that is blank or a comment. */
const NO_KEY = /^\s*(#|$)/
/** A line that may end a value of several lines. */
const CLOSES = /[\]}]|"""|'''/

type Table = Readonly<Record<string, unknown>>

/** A file that was read. */
export class ConfigFile {
  readonly path: string
  readonly #text: string
  readonly #values: ReadonlyMap<string, unknown>

  private constructor(path: string, text: string, values: ReadonlyMap<string, unknown>) {
    this.path = path
    this.#text = text
    this.#values = values
  }

  /**
   * Reads a file.
   *
   * @throws AgidbError `AGIDB_CONFIG` that names the file, the line and the key: it cannot be read, is over 64 KiB, is
   * not TOML, or has a key that is none
   */
  static read(path: string): ConfigFile {
    const text = textOf(path)
    const values = new Map<string, unknown>()
    const file = new ConfigFile(path, text, values)
    for (const [names, value] of leavesOf(parsed(path, text))) {
      const key = names.join('.')
      if (!KEYS.includes(key)) throw file.#errorAt(names, `is no setting; known are ${KEYS.join(', ')}`)
      values.set(key, value)
    }
    return file
  }

  get(key: string): unknown {
    return this.#values.get(key)
  }

  /** An error at a key. */
  error(key: string, what: string): AgidbError {
    return this.#errorAt(key.split('.'), what)
  }

  #errorAt(names: readonly string[], what: string): AgidbError {
    const line = this.#lineOf(names)
    const key = names.join('.')
    return new AgidbError('AGIDB_CONFIG', `${this.path}, line ${line}: ${key} ${what}`, { file: this.path, line, key })
  }

  /**
   * The line of a key, from 1: the parser gives no positions, so it is the line after the longest beginning of the file
   * that is TOML and does not have the key yet. Beginnings of which that is clear are not parsed: that takes as long as
   * they are.
   */
  #lineOf(names: readonly string[]): number {
    const lines = this.#text.split('\n')
    let line = 1
    for (let count = 1; count <= lines.length; count++) {
      // Whether the lines before are TOML; else they end within a value of several lines.
      const isWhole = line === count
      const last = lines[count - 1]
      if (isWhole ? NO_KEY.test(last) : !CLOSES.test(last)) {
        if (isWhole) line++
        continue
      }
      const table = tryParse(lines.slice(0, count).join('\n'))
      if (table === undefined) continue
      if (has(table, names)) return line
      line = count + 1
    }
    return line
  }
}

function textOf(path: string): string {
  const refuse = (why: string, cause?: unknown) =>
    new AgidbError('AGIDB_CONFIG', `the configuration ${path} ${why}`, { file: path }, { cause })
  let bytes: Uint8Array
  try {
    const size = statSync(path).size
    if (size > MOST_BYTES)
      throw refuse(`has ${size.toLocaleString('en')} bytes; at most ${MOST_BYTES.toLocaleString('en')} are read`)
    bytes = readFileSync(path)
  } catch (cause) {
    if (cause instanceof AgidbError) throw cause
    throw refuse(`cannot be read: ${(cause as Error).message}`, cause)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw refuse('is not UTF-8', cause)
  }
}

function parsed(path: string, text: string): Table {
  try {
    return parse(text)
  } catch (cause) {
    if (!(cause instanceof TomlError)) throw cause
    // The message goes on with the lines around, which may have a key in them.
    const why = cause.message.split('\n')[0].replace(/^Invalid TOML document: /, '')
    const { line, column } = cause
    const message = `${path}, line ${line}, column ${column}: this is not TOML: ${why}`
    throw new AgidbError('AGIDB_CONFIG', message, { file: path, line, column })
  }
}

function tryParse(text: string): Table | undefined {
  try {
    return parse(text)
  } catch {
    return undefined
  }
}

/** Each value with the names on the way to it; a table that no key leads into counts as a value. */
function* leavesOf(table: Table, path: readonly string[] = []): Generator<readonly [readonly string[], unknown]> {
  for (const [name, value] of Object.entries(table)) {
    const names = [...path, name]
    const isInside = KEYS.some((known) => known.startsWith(`${names.join('.')}.`))
    if (isTable(value) && isInside) yield* leavesOf(value, names)
    else yield [names, value]
  }
}

function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
}

function has(value: unknown, path: readonly string[]): boolean {
  for (const name of path) {
    if (!isTable(value) || !Object.hasOwn(value, name)) return false
    value = value[name]
  }
  return true
}
