import { existsSync, mkdirSync, readdirSync, statfsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Room } from '../core/agidb.js'
import { AgidbError } from '../core/errors.js'
import { closeAll, type BlockFile } from './block-file.js'
import { blockStorage, type Place } from './block-storage.js'
import { checkFiles } from './check.js'
import { boundsOf, type Asked } from './flushing.js'
import { ImageFile } from './image-file.js'
import { absentFile, fileError, guard, isDenied, openForReading, openNodeFile, syncFolder } from './node-file.js'
import { takeLock } from './node-lock.js'
import type { Look, Storage } from './port.js'
import { salvage, type Salvaged } from './salvage.js'
import { keepIn, type KeepTail } from './tail.js'

/** The journal is in one of them. */
const JOURNALS = ['journal.agidb', 'journal-2.agidb'] as const
const IMAGE = 'index.agidb'
const LOCK = 'lock'

/**
 * A store in a folder of the file system, which is made when it is not there. A commit is written and
 * flushed (`fdatasync`) before it resolves or, with relaxed durability, soon after. One process at a time: a second open is refused with
 * `AGIDB_IN_USE`. For Node, Deno and Bun.
 *
 * @param path the folder, absolute or relative to the working directory
 * @param options.create whether to make a database that is not there; otherwise it is `AGIDB_NOT_FOUND`. Default true.
 * @param options.durability Default `strict`.
 */
export function nodeStorage(path: string, { create = true, durability }: { readonly create?: boolean; readonly durability?: Asked } = {}): Storage {
  const folder = resolve(path)
  return blockStorage(`folder ${folder}`, () => {
    if (create) prepareFolder(folder)
    else expectDatabase(folder)
    refuseForeignFolder(folder)
    return openFolder(folder, create)
  }, boundsOf(durability))
}

function openFolder(folder: string, create: boolean): Place {
  const unlock = takeLock(join(folder, LOCK))
  const files: BlockFile[] = []
  try {
    for (const path of [...JOURNALS, IMAGE].map((name) => join(folder, name))) files.push(create || existsSync(path) ? openNodeFile(path) : absentFile(path))
    // A journal that is moved to the other file must not be lost with the name of that.
    if (create) syncFolder(folder)
  } catch (error) {
    for (const file of files) void file.close()
    unlock()
    throw error
  }
  const [first, second, image] = files
  return { journals: [first, second], image, keep: keepBeside, room: () => roomOn(folder), release: unlock }
}

/**
 * Room on the disk, for whoever may not use what is reserved. Folders are not deleted when it is short. `undefined` in Deno without
 * `--allow-sys`.
 */
function roomOn(folder: string): Room | undefined {
  const disk = guard(`measuring the disk of ${folder}`, () => {
    try {
      return statfsSync(folder)
    } catch (error) {
      if (isDenied(error)) return undefined
      throw error
    }
  })
  if (disk === undefined) return undefined
  const { bsize, blocks, bfree, bavail } = disk
  const used = (blocks - bfree) * bsize
  return { used, of: used + bavail * bsize, persisted: true }
}

/** Reads all that is in a folder that nobody has open, and changes nothing. */
export async function verifyFolder(path: string, look: Look): Promise<void> {
  const folder = resolve(path)
  const unlock = takeLock(join(folder, LOCK))
  const [first, second, image] = [...JOURNALS, IMAGE].map((name) => openForReading(join(folder, name)))
  try {
    await checkFiles({ journals: [first, second], image: await ImageFile.open(image) }, look)
  } finally {
    await closeAll([first, second, image]).finally(unlock)
  }
}

/** Makes a journal of what can be read of a damaged one, which is kept beside it. See {@link salvage}. */
export async function salvageFolder(path: string): Promise<Salvaged | undefined> {
  const { journals, image, keep, release } = openFolder(resolve(path), true)
  try {
    return await salvage(journals, keep, (await ImageFile.open(image)).base?.databaseId)
  } finally {
    await closeAll([...journals, image]).finally(release)
  }
}

/** Keeps the bytes in a file of their own beside the journal. */
const keepBeside: KeepTail = async (journal, offset, bytes) => {
  const path = `${journal.name}.torn-${offset}`
  const side = openNodeFile(path)
  try {
    await keepIn(side, journal, offset, bytes)
  } finally {
    await side.close()
  }
  syncFolder(dirname(path))
  return path
}

/** Looks for a database without making anything. */
function expectDatabase(folder: string): void {
  if (JOURNALS.some((name) => existsSync(join(folder, name)))) return
  const message = `there is no database in ${folder}, and readOnly: true makes none; open it without to make it`
  throw new AgidbError('AGIDB_NOT_FOUND', message, { path: folder })
}

/** Makes the folder and those above it that are missing, in a way that survives a crash of the machine. */
function prepareFolder(folder: string): void {
  try {
    const missing: string[] = []
    for (let path = folder; !existsSync(path); path = dirname(path)) missing.unshift(path)
    for (const path of missing) {
      makeFolder(path)
      syncFolder(dirname(path))
    }
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return
  } catch (cause) {
    throw cause instanceof AgidbError ? cause : fileError(cause, `making the folder ${folder}`)
  }
  throw new AgidbError('AGIDB_STORAGE', `${folder} is no folder: the path of a database must be one`, { path: folder })
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // Another process that opens the same database has made it in the meantime.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** A folder with other things in it is not ours to write to. */
function refuseForeignFolder(folder: string): void {
  const names = guard(`listing the folder ${folder}`, () => readdirSync(folder))
  if (JOURNALS.some((name) => names.includes(name))) return
  const others = names.filter((name) => name !== LOCK && !name.startsWith(`${LOCK}.`))
  if (others.length === 0) return
  const message = `${folder} holds other things (${others[0]}, …) and no database: name an empty or a new folder`
  throw new AgidbError('AGIDB_FOREIGN_FILE', message, { path: folder })
}
