// What an export whose rows stay encrypted says of their keys (docs/format.md, "Sealed exports").
import type { OpenedStorage, SealedRows } from '../api/storage.js'
import { AgidbError } from '../base/errors.js'
import type { Indexes } from '../indexes/indexes.js'
import type { ExportKeys } from '../transfer/export-keys.js'
import { countThrough } from '../transfer/export.js'
import type { Writer } from '../write/writer.js'

/** Rows that are read at a time. */
const ROWS_PER_BATCH = 256
/** The number of no key, for a row that is not there: rings begin with 1. */
const NO_KEY = 0

/** The keys of a memory at the moment of which an export tells. */
export interface SealedMoment {
  readonly rows: SealedRows
  readonly numbers: readonly number[]
  /** Slots of superseded episodes, ascending, and those of the episodes that supersede them. */
  readonly superseded: readonly { readonly slot: number; readonly by: number }[]
  /** @throws AgidbError `AGIDB_CLOSED` once keys were dropped: rows that were read before are not readable any more. */
  check(): void
}

/** @throws AgidbError `AGIDB_UNSUPPORTED` where the memory is not encrypted. */
export function expectSealed({ sealed }: Pick<OpenedStorage, 'sealed'>): SealedRows {
  if (sealed !== undefined) return sealed
  const message =
    'a sealed export has the rows as an encrypted memory has them, and this memory is not encrypted: open it with ' +
    "encryption, such as 'keys-beside', or export it with a passphrase"
  throw new AgidbError('AGIDB_UNSUPPORTED', message, { option: 'sealed' })
}

/** To be called at the moment itself. */
export function sealedMoment(rows: SealedRows, { catalog }: Indexes): SealedMoment {
  const { dropped } = rows
  const superseded = catalog.supersededSlots().flatMap((slot) => {
    const by = catalog.slot(catalog.successor(slot)!)
    return by === undefined ? [] : [{ slot, by }]
  })
  return {
    rows,
    numbers: rows.keys(),
    superseded,
    check() {
      if (rows.dropped === dropped) return
      const message =
        'the export ended because something that was unlearned was erased meanwhile, and with it keys of its rows: ' +
        'begin again'
      throw new AgidbError('AGIDB_CLOSED', message)
    },
  }
}

/**
 * What the export says of them.
 *
 * @param slots of what is exported, ascending.
 */
export async function exportKeys(
  { rows, numbers, superseded }: SealedMoment,
  slots: readonly number[],
  writer: Writer,
): Promise<ExportKeys> {
  const exported = new Set(slots)
  const edges = superseded.filter(({ slot, by }) => exported.has(slot) && exported.has(by))
  const keys = new Map<number, readonly number[]>()
  const successors = [...new Set(edges.map(({ by }) => by))]
  for (let from = 0; from < successors.length; from += ROWS_PER_BATCH) {
    const some = successors.slice(from, from + ROWS_PER_BATCH)
    for (const { slot, row } of await writer.still(() => rows.read(some))) keys.set(slot, rows.keysOf(row))
  }
  const supersededBy = new Map(
    edges.map(({ slot, by }) => [countThrough(slots, slot) - 1, keys.get(by) ?? [NO_KEY]] as const),
  )
  return { ring: rows.ring, numbers, supersededBy }
}
