import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { AgidbError } from '../base/errors.js'
import { configurationOf } from './configuration.js'
import { openAlone, openWhenFree, type Engine, type Opened, type WaitOptions } from './open.js'

/**
 * Opens an existing database to ask it; never creates one. It is opened for reading only where its folder may not be
 * written to, or where the configuration says so.
 *
 * @throws AgidbError `AGIDB_NOT_FOUND` when there is none, and what {@link openWhenFree} throws.
 */
export async function openExisting(path: string, options: WaitOptions = {}): Promise<Opened> {
  return openWhenFree(path, toRead(path, options))
}

/**
 * Opens an existing database in this process, as {@link openAlone} does, so that the options given here have effect.
 * Otherwise like {@link openExisting}.
 *
 * @throws AgidbError as {@link openExisting} does, and `AGIDB_IN_USE` where another process shares it.
 */
export async function openExistingAlone(path: string, options: WaitOptions = {}): Promise<Engine> {
  return openAlone(path, toRead(path, options))
}

/** Options for a database that exists and is asked. */
function toRead(path: string, options: WaitOptions): WaitOptions {
  expectMemory(path)
  const isReadOnly = !isWritable(path) || configurationOf(path).settings.readOnly
  return { ...options, ...(isReadOnly && { readOnly: true }) }
}

/**
 * Opens an existing database to change it; never creates one.
 *
 * @throws AgidbError as {@link openExisting} does, and where the folder may not be written to.
 */
export async function openToChange(path: string): Promise<Opened> {
  expectMemory(path)
  return openWhenFree(path)
}

/** Whether files can be made in a folder. */
function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Throws `AGIDB_NOT_FOUND` or `AGIDB_FOREIGN_FILE` where there is no database. */
export function expectMemory(path: string): void {
  if (!existsSync(path)) {
    throw new AgidbError(
      'AGIDB_NOT_FOUND',
      `there is no memory at ${path}; agidb remember <file> --db ${path} makes one`,
      { path },
    )
  }
  if (!statSync(path).isDirectory()) {
    throw new AgidbError('AGIDB_FOREIGN_FILE', `${path} is a file; a memory is a folder that agidb remember made`, {
      path,
    })
  }
  if (!['journal.agidb', 'journal-2.agidb'].some((name) => existsSync(join(path, name)))) {
    throw new AgidbError(
      'AGIDB_NOT_FOUND',
      `the folder ${path} holds no memory; agidb remember <file> --db ${path} makes one in a new or empty folder`,
      { path },
    )
  }
}
