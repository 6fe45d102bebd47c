import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { AgidbError } from '../base/errors.js'
import { configurationOf } from './configuration.js'
import { openAlone, openWhenFree, type Engine, type Opened, type WaitOptions } from './open.js'

/** The commands that make a memory, for the errors of those that need one. */
const MAKERS = 'agidb remember makes one from chats, agidb add from documents'

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
    const message = `there is no memory at ${path}: check the path; ${MAKERS}`
    throw new AgidbError('AGIDB_NOT_FOUND', message, { path })
  }
  if (!statSync(path).isDirectory()) {
    const message = `${path} is a file, and a memory is a folder: check the path; ${MAKERS}`
    throw new AgidbError('AGIDB_FOREIGN_FILE', message, { path })
  }
  if (!['journal.agidb', 'journal-2.agidb'].some((name) => existsSync(join(path, name)))) {
    const message = `the folder ${path} holds no memory: check the path; ${MAKERS}, where a folder is new or empty`
    throw new AgidbError('AGIDB_NOT_FOUND', message, { path })
  }
}
