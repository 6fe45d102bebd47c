import { accessSync, constants, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { AgidbError } from '../core/errors.js'

/** @throws AgidbError `AGIDB_STORAGE` when no file can be written there. */
export function checkWritable(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw new AgidbError('AGIDB_INVALID_ARGUMENT', `${path} is a folder; give a file to write`, { path })
  try {
    accessSync(dirname(path), constants.W_OK)
  } catch (cause) {
    throw new AgidbError('AGIDB_STORAGE', `${path} cannot be written: ${(cause as Error).message}`, { path }, { cause })
  }
}

/**
 * Writes a file whole or not at all; one that is there is replaced.
 *
 * @throws AgidbError `AGIDB_STORAGE`; then what was there is as it was.
 */
export function replaceFile(path: string, text: string): void {
  const beside = `${path}.${process.pid}.tmp`
  try {
    writeFileSync(beside, text, { flush: true })
    renameSync(beside, path)
  } catch (cause) {
    rmSync(beside, { force: true })
    throw new AgidbError('AGIDB_STORAGE', `writing ${path} failed: ${(cause as Error).message}`, { path }, { cause })
  }
}
