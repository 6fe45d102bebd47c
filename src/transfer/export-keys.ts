import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { damaged } from './header.js'

/** What a sealed export says of the keys of its rows, before the first of them. */
export interface ExportKeys {
  /** Names the keys, 32 hexadecimal digits. */
  readonly ring: string
  /** The numbers of all keys that were there: where one of them is gone by now, rows may be, too. */
  readonly numbers: readonly number[]
  /** By the slots of superseded episodes, in the export: the keys of the episodes that supersede them. */
  readonly supersededBy: ReadonlyMap<number, readonly number[]>
}

/** Takes so many bytes of an export; `what` says of which part of it they are. */
export type Take = (length: number, what: string) => Promise<Uint8Array>

const RING_BYTES = 16
const WORD = 4
const WHAT = 'what it says of its keys'

/** The bytes of it; `docs/format.md` has the layout. */
export function encodeExportKeys({ ring, numbers, supersededBy }: ExportKeys): Uint8Array {
  const words = [numbers.length, ...numbers, supersededBy.size]
  for (const [slot, keys] of supersededBy) words.push(slot, keys.length, ...keys)
  const bytes = new Uint8Array(RING_BYTES + WORD * words.length)
  const view = new DataView(bytes.buffer)
  bytes.set(hexToBytes(ring))
  words.forEach((word, i) => view.setUint32(RING_BYTES + WORD * i, word, true))
  return bytes
}

/**
 * Reads what {@link encodeExportKeys} made.
 *
 * @param rows how many the export has.
 * @throws AgidbError `AGIDB_CORRUPT`
 */
export async function decodeExportKeys(take: Take, rows: number): Promise<ExportKeys> {
  const words = async (count: number): Promise<number[]> => {
    const bytes = await take(WORD * count, WHAT)
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    return Array.from({ length: count }, (_, i) => view.getUint32(WORD * i, true))
  }
  const ring = bytesToHex(await take(RING_BYTES, WHAT))
  const [count] = await words(1)
  const numbers = await words(count)
  const [superseded] = await words(1)
  if (superseded > rows) throw damaged(`it says that ${superseded} of its ${rows} rows are superseded`)
  const supersededBy = new Map<number, readonly number[]>()
  for (let i = 0; i < superseded; i++) {
    const [slot, keys] = await words(2)
    if (slot >= rows) throw damaged(`it names the row ${slot} of ${rows}`)
    supersededBy.set(slot, await words(keys))
  }
  return { ring, numbers, supersededBy }
}
