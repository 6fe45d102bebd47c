import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agidb } from '../src/runtimes/node/index.js'
import { quantile, type Section } from './section.js'

/** Single observations in each folder. */
const SINGLES = 400
const LEVELS = ['strict', 'relaxed'] as const

/** One observation after the other, in turns in a folder with strict and in one with relaxed durability. */
export async function durabilities(): Promise<Section> {
  const folder = await mkdtemp(join(tmpdir(), 'agidb-bench-'))
  const dbs = await Promise.all(
    LEVELS.map((durability) => Agidb.open({ extract: 'none', path: join(folder, durability), durability })),
  )
  try {
    const took: number[][] = LEVELS.map(() => [])
    for (let i = 0; i < SINGLES; i++) {
      for (const [level, db] of dbs.entries()) {
        const started = performance.now()
        await db.observe(`Note ${i}: the pressure in tank number ${i % 7} went down again.`)
        took[level].push(performance.now() - started)
      }
    }
    const rows = LEVELS.flatMap((level, index) =>
      [0.5, 0.95].map((q) => ({
        name: `observe one, ${level}, p${100 * q}`,
        key: `observe-${level}-p${100 * q}`,
        value: quantile(took[index], q),
        unit: 'ms' as const,
        ratio: quantile(took[index], q) / quantile(took[0], q),
      })),
    )
    return { title: `Durability, ${SINGLES} single observations each, in turns`, rows }
  } finally {
    for (const db of dbs) await db.close()
    await rm(folder, { recursive: true })
  }
}
