import fc from 'fast-check'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { asked, Devices, histories } from '../../unit/transfer/sync/devices.js'
import { listed } from '../../unit/engine/open.js'
import { runs } from '../../runs.js'

const RUNS = runs(8)
const RANDOM = { numRuns: RUNS, ...(process.env['AGIDB_RUNS'] === undefined && { seed: 1 }) }

/** Calls `use` with a folder for each of three devices, of which the last is kept in main memory. */
async function withFolders<T>(use: (folders: readonly (string | undefined)[]) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'agidb-sync-'))
  try {
    return await use([join(folder, 'a'), join(folder, 'b'), undefined])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The number that each text ends with, by which it is found in files. */
const marks = (texts: Iterable<string>) => [...texts].map((text) => /number\d+x/.exec(text)![0])

test(
  'three devices that met answer the same, whatever each did and whoever was away, and hold nothing that was unlearned',
  async () => {
    await fc.assert(
      fc.asyncProperty(histories, (steps) =>
        withFolders(async (folders) => {
          const devices = await new Devices(folders).open()
          const said = new Set<string>()
          for (const step of steps) {
            await devices.take(step)
            for (const db of devices.all) for (const { text } of await listed(db)) said.add(text)
          }
          await devices.meet()
          devices.agree = true
          const [first, ...others] = devices.all
          const answers = await asked(first)
          for (const other of others) expect(await asked(other)).toEqual(answers)
          await devices.expire()
          await devices.meet()
          const later = await asked(first)
          for (const other of others) expect(await asked(other)).toEqual(later)
          const kept = await everSaid(first)
          await devices.close()
          const gone = marks(said).filter((mark) => !kept.some((text) => text.includes(`${mark}.`)))
          for (const folder of folders)
            if (folder !== undefined)
              for (const file of readdirSync(folder)) {
                const bytes = readFileSync(join(folder, file)).toString('latin1')
                expect(gone.filter((mark) => bytes.includes(mark))).toEqual([])
              }
        }),
      ),
      RANDOM,
    )
  },
  60_000 + 6_000 * RUNS,
)

/** All that the episodes of a memory say, and said before they were updated. */
async function everSaid(db: Devices['all'][number]): Promise<string[]> {
  const texts: string[] = []
  for (const { id } of await listed(db)) for (const { episode } of await db.history(id)) texts.push(episode.text)
  return texts
}
