import type { Library } from '../library.js'
import { canonical, hashOf } from './canonical.js'
import type { Unit } from './unit.js'

/** The hash of each answer, by its name; names of one unit in the order in which it answered. */
export type Hashes = Readonly<Record<string, string>>

/** One hash for many: a function of the names and their hashes, whatever order they came in. */
export function together(hashes: Hashes): string {
  const lines = Object.entries(hashes).map(([name, hash]) => `${name}\t${hash}\n`)
  return hashOf(lines.sort().join(''))
}

/** Runs units, and tells of each when it is done. The names begin with that of the unit. */
export async function hashed(library: Library, units: readonly Unit[], done: (unit: Unit) => void): Promise<Hashes> {
  const hashes: Record<string, string> = {}
  for (const unit of units) {
    for await (const { name, value } of unit.answers(library)) {
      hashes[`${unit.name}: ${name}`] = hashOf(canonical(value))
    }
    done(unit)
  }
  return hashes
}

/** How two runs differ. */
export interface Difference {
  /** Names that both have, with other hashes; in the order of the first run. */
  readonly other: readonly string[]
  /** Names that only one of them has. */
  readonly missing: readonly string[]
  readonly same: number
}

export function compare(before: Hashes, after: Hashes): Difference {
  const both = Object.keys(before).filter((name) => name in after)
  const other = both.filter((name) => before[name] !== after[name])
  const missing = [...Object.keys(before), ...Object.keys(after)].filter((name) => !(name in before && name in after))
  return { other, missing, same: both.length - other.length }
}
