import {
  closeSync,
  constants,
  existsSync,
  fdatasync,
  fstatSync,
  fsyncSync,
  ftruncate,
  openSync,
  readSync,
  statSync,
  write,
} from 'node:fs'
import { promisify } from 'node:util'
import { AgidbError } from '../../../base/errors.js'
import type { BlockFile } from '../../block/block-file.js'

const writeAsync = promisify(write)
const truncateAsync = promisify(ftruncate)
const datasyncAsync = promisify(fdatasync)

/** What the operating system calls a lack of room; EFBIG is a limit on the size of one file. */
const QUOTA_CODES = ['ENOSPC', 'EDQUOT', 'EFBIG']

/** The error of a call to the file system, with a code of ours. */
export function fileError(cause: unknown, doing: string): AgidbError {
  const { code, message } = cause as NodeJS.ErrnoException
  if (code !== undefined && QUOTA_CODES.includes(code)) {
    const text = `no room left ${doing} (${code}): free some space and try again`
    return new AgidbError('AGIDB_QUOTA', text, { code }, { cause })
  }
  return new AgidbError('AGIDB_STORAGE', `failed ${doing}: ${message}`, { code }, { cause })
}

/** Stands for a file that is not there and is not to be made: empty, and never written to. */
export function absentFile(path: string): BlockFile {
  const refuse = (): never => {
    throw new AgidbError('AGIDB_READ_ONLY', `${path} is not there, and is not made for a memory that is read only`, {
      path,
    })
  }
  return { name: path, size: () => 0, read: () => 0, write: refuse, truncate: refuse, flush: () => {}, close: () => {} }
}

/**
 * Opens or creates a file. Reads are synchronous, because they come out of the page cache faster than
 * a thread can be asked; writes and flushes are not.
 */
export function openNodeFile(path: string): BlockFile {
  return blockFile(
    path,
    guard(`opening ${path}`, () => openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600)),
  )
}

function blockFile(path: string, fd: number): BlockFile {
  return {
    name: path,
    size: () => guard(`measuring ${path}`, () => fstatSync(fd).size),
    read: (at, into) =>
      guard(`reading ${path}`, () => {
        let done = 0
        while (done < into.length) {
          const read = readSync(fd, into, done, into.length - done, at + done)
          if (read === 0) break
          done += read
        }
        return done
      }),
    write: (at, bytes) =>
      guardAsync(`writing ${path}`, async () => {
        // A disk that fills up takes a part and refuses the next one.
        for (let done = 0; done < bytes.length; ) {
          const { bytesWritten } = await writeAsync(fd, bytes, done, bytes.length - done, at + done)
          done += bytesWritten
        }
      }),
    truncate: (length) => guardAsync(`truncating ${path}`, () => truncateAsync(fd, length)),
    flush: () => guardAsync(`flushing ${path}`, () => datasyncAsync(fd)),
    close: () => guard(`closing ${path}`, () => closeSync(fd)),
    // As long as the file is open, no other one gets its number.
    isLinked: () =>
      guard(`looking up ${path}`, () => {
        const { dev, ino } = fstatSync(fd, { bigint: true })
        const found = statSync(path, { bigint: true, throwIfNoEntry: false })
        return found !== undefined && found.dev === dev && found.ino === ino
      }),
  }
}

/**
 * A file for reading only; one that is not there counts as empty. What would change it is refused with `AGIDB_STORAGE`.
 */
export function openForReading(path: string): BlockFile {
  const refuse = (): never => {
    throw new AgidbError('AGIDB_STORAGE', `${path} is open for reading only`, { path })
  }
  if (!existsSync(path))
    return { name: path, size: () => 0, read: () => 0, write: refuse, truncate: refuse, flush: refuse, close: () => {} }
  return {
    ...blockFile(
      path,
      guard(`opening ${path}`, () => openSync(path, constants.O_RDONLY)),
    ),
    write: refuse,
    truncate: refuse,
    flush: refuse,
  }
}

/** Makes the names in a folder survive a crash of the machine. Windows neither needs nor allows it. */
export function syncFolder(path: string): void {
  if (process.platform === 'win32') return
  guard(`flushing the folder ${path}`, () => {
    const fd = openSync(path, constants.O_RDONLY)
    try {
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
  })
}

/** Answers what `work` does, or throws the error of a call to the file system with a code of ours. */
export function guard<T>(doing: string, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    throw fileError(cause, doing)
  }
}

async function guardAsync<T>(doing: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    throw fileError(cause, doing)
  }
}
