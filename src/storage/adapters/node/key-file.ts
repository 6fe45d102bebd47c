import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { BlockFile } from '../../block/block-file.js'
import type { HeldKeyFile } from '../../journal/journal-storage.js'
import { openForReading, openNodeFile, syncFolder } from './file.js'

/** The file of the keys, which is made when the first keys are written. */
export function nodeKeyFile(path: string): HeldKeyFile {
  let file: BlockFile | undefined = existsSync(path) ? openNodeFile(path) : undefined
  const made = (): BlockFile => {
    if (file === undefined) {
      file = openNodeFile(path)
      syncFolder(dirname(path))
    }
    return file
  }
  return {
    size: () => file?.size() ?? 0,
    read: (at, into) => file?.read(at, into) ?? 0,
    write: (at, bytes) => made().write(at, bytes),
    flush: () => file?.flush(),
    close: () => file?.close(),
  }
}

/** The file of the keys of a folder that may not be written to. */
export function frozenKeyFile(path: string): HeldKeyFile {
  return openForReading(path)
}
