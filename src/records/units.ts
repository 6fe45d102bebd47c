// What can be erased by itself. Rows are encrypted with a key for each unit (docs/format.md, "Encryption").
import { episodeKind } from './kinds/episode.js'
import { tombstoneKind } from './kinds/tombstone.js'
import type { RecordKinds } from './record-kind.js'

/** The unit of rows that belong to no other: the memory itself. */
const OF_THE_MEMORY = 'memory'

/**
 * The units of a row, one at least: its own, and those of the records that it names.
 *
 * @param unitsOf the units of the record with an id; `undefined` where there is none.
 */
export function unitsOfRow(
  row: Uint8Array,
  kinds: RecordKinds,
  unitsOf: (id: string) => readonly string[] | undefined,
): readonly string[] {
  const kind = kinds.find(row)
  if (kind === undefined) return [OF_THE_MEMORY]
  // What is forgotten belongs to what it did before.
  if (kind === tombstoneKind) return unitsOfRow(tombstoneKind.decode(row).row, kinds, unitsOf)
  const record = kind.decode(row)
  const units = new Set(kind.units?.(record))
  // An episode names the one that supersedes it, and says nothing of what that says.
  if (kind === episodeKind) return [...units]
  for (const id of [...kind.subjects(record), ...kind.references(record)])
    for (const unit of unitsOf(id) ?? []) units.add(unit)
  return units.size === 0 ? [OF_THE_MEMORY] : [...units]
}
