import { existsSync, mkdirSync, readdirSync, statfsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Room, StorageEvent } from '../../../api/stats.js'
import { isDenied } from '../../../base/denied.js'
import { AgidbError } from '../../../base/errors.js'
import { closeAll, type BlockFile } from '../../block/block-file.js'
import { type HeldKeyFile, journalStorage, type JournalPlace } from '../../journal/journal-storage.js'
import { checkFiles } from '../../recovery/check.js'
import { boundsOf, type FlushRequest } from '../../journal/flushing.js'
import { CheckpointFile } from '../../checkpoint/checkpoint-file.js'
import { absentFile, fileError, guard, openForReading, openNodeFile, syncFolder } from './file.js'
import { claimFiles, type Claim } from './inode.js'
import { frozenKeyFile, nodeKeyFile } from './key-file.js'
import { expectUnlocked, takeLock, type Lock } from './lock.js'
import type { JournalFiles } from '../../journal/journal-pair.js'
import type { KeyFile, StorageAdapter, VerifyVisitor } from '../../../api/storage.js'
import { salvage, type Salvaged } from '../../recovery/salvage.js'
import { keepIn, type KeepDamagedTail } from '../../journal/tail.js'

/** The journal is in one of them. */
const JOURNALS = ['journal.agidb', 'journal-2.agidb'] as const
const CHECKPOINT = 'index.agidb'
const KEYS = 'keys.agidb'
const LOCK = 'lock'
/** What a folder may hold before it has a database. */
const OWN: readonly string[] = [LOCK, KEYS, 'agidb.toml']
/** The folder with the memories within a memory. */
const SCOPES = 'scopes'

export interface NodeStorageOptions {
  /** Whether to make a database that is not there; otherwise that is `AGIDB_NOT_FOUND`. Default `true`. */
  readonly create?: boolean
  /** When a commit counts as written. Default `strict`. */
  readonly durability?: FlushRequest
  /** The lock of the folder, where the caller has it already and releases it. */
  readonly lock?: Lock
}

/**
 * A store in a folder of the file system, which is made when it is not there. A commit is written and flushed
 * (`fdatasync`) before it resolves or, with relaxed durability, soon after. One process at a time: a second open is
 * refused with `AGIDB_IN_USE`. For Node, Deno and Bun.
 *
 * @param path the folder, absolute or relative to the working directory
 */
export function nodeStorage(path: string, options: NodeStorageOptions = {}): StorageAdapter {
  const { create = true, durability, lock } = options
  const folder = resolve(path)
  const storage = journalStorage(
    `folder ${folder}`,
    () => {
      prepare(folder, create)
      return openFolder(folder, create, lock)
    },
    boundsOf(durability),
  )
  return { ...storage, scope: (key) => nodeStorage(scopeFolder(folder, key), { create, durability }) }
}

/** The folder of a memory within the memory of a folder. */
export function scopeFolder(folder: string, key: string): string {
  return join(folder, SCOPES, key)
}

/** The lock of the database in a folder. */
export function lockOf(folder: string): string {
  return join(folder, LOCK)
}

/** Makes the folder of a database, or expects one in it; then nothing is made. */
export function prepare(folder: string, create: boolean): void {
  if (create) prepareFolder(folder)
  else expectDatabase(folder)
  refuseForeignFolder(folder)
}

/**
 * How a file system refuses to be written to: it is mounted so, or the folder or a file is not for this user to change.
 */
const NOT_WRITABLE: readonly unknown[] = ['EROFS', 'EACCES', 'EPERM']

export function isNotWritable(error: unknown): error is AgidbError {
  return error instanceof AgidbError && error.code === 'AGIDB_STORAGE' && NOT_WRITABLE.includes(error.details['code'])
}

async function openFolder(folder: string, create: boolean, lent?: Lock): Promise<JournalPlace> {
  try {
    return await openForWriting(folder, create, lent)
  } catch (error) {
    if (!isNotWritable(error)) throw error
    if (!create) return openFrozen(folder, error)
    const message = `${error.message}; a folder that may not be written to opens with readOnly: true`
    throw new AgidbError(error.code, message, error.details, { cause: error.cause })
  }
}

async function openForWriting(folder: string, create: boolean, lent?: Lock): Promise<JournalPlace> {
  const lock = lent ?? (await takeLock(lockOf(folder)))
  const files: BlockFile[] = []
  const keysPath = join(folder, KEYS)
  let keys: HeldKeyFile | undefined
  let claim: Claim | undefined
  const release = (): void => {
    claim?.release()
    if (lent === undefined) lock.release()
  }
  try {
    for (const path of pathsIn(folder)) files.push(create || existsSync(path) ? openNodeFile(path) : absentFile(path))
    keys = nodeKeyFile(keysPath)
    claim = await claimFiles([...pathsIn(folder), keysPath].filter((path) => existsSync(path)))
    // A journal that is moved to the other file must not be lost with the name of that.
    if (create) syncFolder(folder)
  } catch (error) {
    for (const file of files) void file.close()
    void keys?.close()
    release()
    throw error
  }
  const [first, second, checkpoint] = files
  const events = [...unasked(lock), ...linked(claim)]
  return { journals: [first, second], checkpoint, keys, keep: keepBeside, room: () => roomOn(folder), release, events }
}

/**
 * Opens a folder that may not be written to, for reading, without a lock. Throws `AGIDB_IN_USE` if whoever holds its
 * lock is known to live.
 */
async function openFrozen(folder: string, { details: { code } }: AgidbError): Promise<JournalPlace> {
  await expectUnlocked(lockOf(folder))
  const { journals, checkpoint } = openFilesForReading(folder)
  const message =
    `${folder} may not be written to (${code}): it was opened without a lock and stays as it is; ` +
    'if a program writes to it from elsewhere, open it again to see that'
  const events = [{ kind: 'not-writable', message, details: { folder, code } }]
  const keys = frozenKeyFile(join(folder, KEYS))
  return { journals, checkpoint, keys, room: () => roomOn(folder), release: () => {}, events }
}

function openFilesForReading(folder: string): { readonly journals: JournalFiles; readonly checkpoint: BlockFile } {
  const files: BlockFile[] = []
  try {
    for (const path of pathsIn(folder)) files.push(openForReading(path))
  } catch (error) {
    for (const file of files) void file.close()
    throw error
  }
  const [first, second, checkpoint] = files
  return { journals: [first, second], checkpoint }
}

/** The files of a database: its journals, then the checkpoint of its indexes. */
function pathsIn(folder: string): string[] {
  return [...JOURNALS, CHECKPOINT].map((name) => join(folder, name))
}

function unasked({ unasked: reason }: Lock): StorageEvent[] {
  if (reason === undefined) return []
  const message =
    `no socket could be made by which other programs tell that this one lives (${reason}): ` +
    'they judge by other means, of which some need permissions and none reaches into another container'
  return [{ kind: 'lock-without-socket', message, details: { reason } }]
}

function linked({ linked: files }: Claim): StorageEvent[] {
  if (files.length === 0) return []
  const message =
    `files of this database have other names, too (hard links): ${files.join(', ')}; what is written here ` +
    'is written there; copy the folder without hard links for a memory of its own'
  return [{ kind: 'hard-links', message, details: { files } }]
}

/**
 * Room on the disk for a user who may not use reserved blocks. Folders are not deleted when it is short. `undefined` in
 * Deno without `--allow-sys`.
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

/**
 * Reads all files of a folder that no process has open, and changes nothing. The folder need not be writable.
 *
 * @param onKeys called with the file for keys before anything else is read. What it rejects with ends the reading.
 */
export async function verifyFolder(
  path: string,
  visitor: VerifyVisitor,
  onKeys: (keys: KeyFile) => Promise<void> = async () => {},
): Promise<void> {
  const folder = resolve(path)
  const release = await lockIfWritable(lockOf(folder))
  try {
    const keys = frozenKeyFile(join(folder, KEYS))
    await onKeys(keys).finally(() => keys.close())
    const { journals, checkpoint } = openFilesForReading(folder)
    try {
      await checkFiles({ journals, checkpoint: await CheckpointFile.open(checkpoint) }, visitor)
    } finally {
      await closeAll([...journals, checkpoint])
    }
  } finally {
    release()
  }
}

async function lockIfWritable(path: string): Promise<() => void> {
  try {
    return (await takeLock(path)).release
  } catch (error) {
    if (!isNotWritable(error)) throw error
    await expectUnlocked(path)
    return () => {}
  }
}

/** Makes a journal of what can be read of a damaged one, which is kept beside it. See {@link salvage}. */
export async function salvageFolder(path: string): Promise<Salvaged | undefined> {
  const { journals, checkpoint, keys, keep = keepBeside, release } = await openFolder(resolve(path), true)
  try {
    return await salvage(journals, keep, (await CheckpointFile.open(checkpoint)).base?.databaseId)
  } finally {
    await closeAll([...journals, checkpoint, ...(keys ? [keys] : [])]).finally(release)
  }
}

/** Keeps the bytes in a file of their own beside the journal. */
const keepBeside: KeepDamagedTail = async (journal, offset, bytes) => {
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

/**
 * A folder with other things in it is not ours to write to. The keys alone may await a backup that needs them, and a
 * configuration the memory that it is of.
 */
function refuseForeignFolder(folder: string): void {
  const names = guard(`listing the folder ${folder}`, () => readdirSync(folder))
  if (JOURNALS.some((name) => names.includes(name))) return
  const others = names.filter((name) => !OWN.includes(name) && !name.startsWith(`${LOCK}.`))
  if (others.length === 0) return
  const message = `${folder} holds other things (${others[0]}, …) and no database: name an empty or a new folder`
  throw new AgidbError('AGIDB_FOREIGN_FILE', message, { path: folder })
}
