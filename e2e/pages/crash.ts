import { Agidb } from '../../src/runtimes/browser/index.js'
import type { BlockFile } from '../../src/storage/block/block-file.js'
import { movedIn } from '../../test/crash/moves.js'
import type { Found } from '../../test/crash/story.js'
import { writeUntilKilled } from '../../test/crash/write.js'
import { opfsBytes } from './storage-places.js'

declare global {
  interface Window {
    /** Given by the test: takes what the writer says out of the browser. */
    say(lines: readonly string[]): Promise<void>
    /** Opens the database and answers all that is in it. */
    openAndRead(): Promise<Found>
    /** Writes until the browser is killed. Rejects with whatever ends that before. */
    write(run: number): Promise<never>
  }
}

const NAME = 'crash'
let db: Agidb

window.openAndRead = async () => {
  const moved = await movedIn([await bytesOf('journal.agidb'), await bytesOf('journal-2.agidb')])
  const worker = new Worker(new URL('../../workers/engine.ts', import.meta.url), { type: 'module' })
  db = await Agidb.open({ name: NAME, worker })
  const episodes: Found['episodes'][number][] = []
  for await (const page of db.episodes({ limit: 1000 })) episodes.push(...page.map(({ id, text }) => ({ id, text })))
  const { opening } = await db.stats()
  const problems = (await db.verify()).problems.filter(({ harm }) => harm !== 'none')
  return { episodes, opening, moved, problems }
}

window.write = async (run) => {
  const failed = new Promise<never>((_, reject) =>
    addEventListener('unhandledrejection', ({ reason }) => reject(reason as Error)),
  )
  return Promise.race([failed, writeUntilKilled(db, run, window.say)])
}

/** A file of the database, while that is not open, for reading only. */
async function bytesOf(name: string): Promise<BlockFile> {
  const bytes = await opfsBytes(NAME, name).catch(() => new Uint8Array(0))
  const read = (at: number, into: Uint8Array): number => {
    const found = bytes.subarray(at, at + into.length)
    into.set(found)
    return found.length
  }
  return { name, size: () => bytes.length, read, write() {}, truncate() {}, flush() {}, close() {} }
}
