import { accessSync, closeSync, constants, fsyncSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { basename, dirname, join } from 'node:path'
import { AgidbError } from '../base/errors.js'

/** The bytes of a file, in order. */
export type Pieces = Iterable<Uint8Array> | AsyncIterable<Uint8Array>

/**
 * @throws AgidbError `AGIDB_STORAGE` when no file can be written there; `AGIDB_INVALID_ARGUMENT` for a folder, a pipe
 * or a device, which a file would replace.
 */
export function checkWritable(path: string): void {
  const there = statSync(path, { throwIfNoEntry: false })
  if (there !== undefined && !there.isFile()) {
    const what = there.isDirectory() ? 'a folder' : 'a pipe or a device'
    throw new AgidbError('AGIDB_INVALID_ARGUMENT', `${path} is ${what}; give a file to write`, { path })
  }
  try {
    accessSync(dirname(path), constants.W_OK)
  } catch (cause) {
    throw failed(path, cause)
  }
}

/**
 * Writes a file whole or not at all; a file that is there is replaced. The bytes go into a temporary file beside it,
 * which is renamed at the end. Its name is random and it must be new (`O_EXCL`), so a link that somebody planted there
 * is never followed.
 *
 * @param mode permissions of the file, less the umask. Default: only its owner can read it.
 * @throws AgidbError `AGIDB_STORAGE` when writing fails, and whatever `pieces` throws. Then the old file is unchanged.
 */
export async function replaceFile(path: string, pieces: Pieces, mode = 0o600): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(8).toString('hex')}.tmp`)
  const attempt = <T>(work: () => T): T => {
    try {
      return work()
    } catch (cause) {
      throw failed(path, cause)
    }
  }
  const fd = attempt(() => openSync(temporary, 'wx', mode))
  try {
    try {
      for await (const piece of pieces) attempt(() => writeWhole(fd, piece))
      attempt(() => fsyncSync(fd))
    } finally {
      closeSync(fd)
    }
    attempt(() => renameSync(temporary, path))
  } catch (cause) {
    rmSync(temporary, { force: true })
    throw cause
  }
}

function writeWhole(fd: number, piece: Uint8Array): void {
  for (let at = 0; at < piece.length; ) at += writeSync(fd, piece, at)
}

function failed(path: string, cause: unknown): AgidbError {
  return new AgidbError('AGIDB_STORAGE', `${path} cannot be written: ${(cause as Error).message}`, { path }, { cause })
}
