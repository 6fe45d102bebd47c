import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { StorageEvent } from '../core/agidb.js'
import { systemClock } from '../core/clock.js'
import { AgidbError } from '../core/errors.js'
import { closeAll, type BlockFile } from './block-file.js'
import { newHeader } from './frame.js'
import { Handle } from './handle.js'
import { handOver } from './hand-over.js'
import { ImageFile } from './image-file.js'
import { Journal, readHeader, writeHeader } from './journal.js'
import { absentFile, fileError, guard, openNodeFile, syncFolder } from './node-file.js'
import { takeLock } from './node-lock.js'
import type { Storage } from './port.js'
import { keepIn, type KeepTail } from './tail.js'

const JOURNAL = 'journal.agidb'
/** A journal that is to take the place of the other. */
const SUCCESSOR = 'journal.agidb.next'
const IMAGE = 'index.agidb'
const LOCK = 'lock'

/** What an open folder holds. */
interface OpenFolder {
  readonly journal: Journal
  readonly image: ImageFile
  readonly files: readonly BlockFile[]
  readonly unlock: () => void
}

/**
 * A store in a folder of the file system, which is made when it is not there. A commit is written and
 * flushed (`fdatasync`) before it resolves. One process at a time: a second open is refused with
 * `AGIDB_IN_USE`. For Node, Deno and Bun.
 *
 * @param path the folder, absolute or relative to the working directory
 * @param options.create whether to make a database that is not there; otherwise it is `AGIDB_NOT_FOUND`. Default true.
 */
export function nodeStorage(path: string, { create = true }: { readonly create?: boolean } = {}): Storage {
  const folder = resolve(path)
  const events: StorageEvent[] = []
  const handle = new Handle<OpenFolder>(`the storage in ${folder}`)

  return {
    async open(visit, use) {
      if (create) prepareFolder(folder)
      else expectDatabase(folder)
      refuseForeignFolder(folder)
      const unlock = takeLock(join(folder, LOCK))
      events.length = 0
      const files: BlockFile[] = []
      try {
        // What a crash left of an import.
        if (create) guard(`deleting ${SUCCESSOR}`, () => rmSync(join(folder, SUCCESSOR), { force: true }))
        const imagePath = join(folder, IMAGE)
        files.push(openNodeFile(join(folder, JOURNAL)), create || existsSync(imagePath) ? openNodeFile(imagePath) : absentFile(imagePath))
        const image = await ImageFile.open(files[1])
        const journal = await openJournal(folder, files[0], (event) => events.push(event), image)
        await handOver(journal, visit, use)
        handle.hold({ journal, image, files, unlock })
        return { databaseId: journal.header.databaseId, nextSlot: journal.nextSlot }
      } catch (error) {
        try {
          await closeAll(files)
        } catch {
          // What went wrong first is what counts.
        } finally {
          unlock()
        }
        throw error
      }
    },
    commit: (changes) => handle.change(({ journal }) => journal.append(changes)),
    keep: (parts) => handle.change(({ journal, image }) => journal.keep(image, parts)),
    visit: async (slots, visit) => handle.get().journal.visit(visit, slots),
    rows: async (slots) => handle.get().journal.rows(slots),
    slots: () => handle.change(async ({ journal }) => journal.liveSlots(0, journal.nextSlot)),
    read: (slots) => handle.change(({ journal }) => journal.read(slots)),
    replace: (fill) => handle.change(async (open) => handle.hold(await succeeded(folder, open, fill))),
    flush: () => handle.idle(),
    async stats() {
      const { journal, image } = handle.get()
      return {
        name: `folder ${folder}`,
        bytes: journal.bytes + (await image.size()),
        memory: journal.memoryBytes,
        durability: 'strict',
        durabilityReason: 'every commit is written and flushed to the disk before it is acknowledged',
        opening: [...events],
      }
    },
    close: () =>
      handle.close(async ({ files, unlock }) => {
        try {
          await closeAll(files)
        } finally {
          unlock()
        }
      }),
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

async function openJournal(folder: string, file: BlockFile, report: (event: StorageEvent) => void, image: ImageFile): Promise<Journal> {
  const found = await readHeader(file)
  if (found) return Journal.open(file, found, keepBeside, report, image)
  const header = newHeader(systemClock())
  await writeHeader(file, header)
  syncFolder(folder)
  report({ kind: 'created', message: `a new database was created in ${folder}`, details: { databaseId: header.databaseId } })
  return Journal.open(file, header, keepBeside, report)
}

/** Writes another journal beside the one that is open, and gives it its name. */
async function succeeded(folder: string, open: OpenFolder, fill: Parameters<Storage['replace']>[0]): Promise<OpenFolder> {
  const [beside, name] = [join(folder, SUCCESSOR), join(folder, JOURNAL)]
  const file = { ...openNodeFile(beside), name }
  try {
    const journal = await open.journal.successor(file)
    await fill((episodes) => journal.append(episodes.map((episode) => ({ op: 'put', ...episode }))))
    await journal.finish()
    guard(`renaming ${beside}`, () => renameSync(beside, name))
    syncFolder(folder)
    const [before, ...others] = open.files
    await before.close()
    return { ...open, journal, files: [file, ...others] }
  } catch (error) {
    await file.close()
    rmSync(beside, { force: true })
    throw error
  }
}

/** Looks for a database without making anything. */
function expectDatabase(folder: string): void {
  if (existsSync(join(folder, JOURNAL))) return
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
  if (names.includes(JOURNAL)) return
  const others = names.filter((name) => name !== LOCK && !name.startsWith(`${LOCK}.`))
  if (others.length === 0) return
  const message = `${folder} holds other things (${others[0]}, …) and no database: name an empty or a new folder`
  throw new AgidbError('AGIDB_FOREIGN_FILE', message, { path: folder })
}
