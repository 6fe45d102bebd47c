import { fromHex, toHex } from '../base/hex.js'
import { sha256 } from '@noble/hashes/sha2.js'
import {
  encodeChanges,
  ENTRY_HEADER_BYTES,
  entryId,
  entryIsIntact,
  entrySignatures,
  readEntry,
} from '../storage/journal/changes.js'
import type { Signatures, StoredEpisode } from '../api/storage.js'
import type { ByteReader } from './bytes.js'
import { decodeExportKeys, encodeExportKeys, type ExportKeys, type Take } from './export-keys.js'
import { damaged } from './header.js'

/** What an export says of itself before its rows. */
export interface About {
  /** 32 hexadecimal digits. */
  readonly databaseId: string
  /** Epoch milliseconds. */
  readonly exportedAt: number
  readonly rows: number
}

const ABOUT_BYTES = 32
const LENGTH_BYTES = 4
const DIGEST_BYTES = 32
/** The longest row of an export, as of a journal. */
const MAX_ROW_BYTES = 1 << 28

/** Row after row, in order; their slots are theirs in the export, from 0. */
export type Rows = AsyncIterable<readonly StoredEpisode[]>

/**
 * The bytes of what is exported, before they are cut into chunks: what it is, its rows, their number once more, and a
 * digest of it all.
 *
 * @param keys of rows that are encrypted.
 */
export async function* encodeContents(about: About, rows: Rows, keys?: ExportKeys): AsyncGenerator<Uint8Array> {
  const digest = sha256.create()
  const taken = (bytes: Uint8Array): Uint8Array => {
    digest.update(bytes)
    return bytes
  }
  yield taken(encodeAbout(about))
  if (keys !== undefined) yield taken(encodeExportKeys(keys))
  let written = 0
  for await (const batch of rows) {
    for (const row of batch) yield taken(encodeRow(row))
    written += batch.length
  }
  yield taken(encodeEnd(written))
  yield digest.digest()
}

/** What of an export was read so far. */
export interface ExportContents {
  readonly about: About
  /** Of the rows, where they are encrypted. */
  readonly keys?: ExportKeys
  /** Each row; after the last, number and digest are checked. The arrays are views that last. */
  readonly rows: AsyncGenerator<StoredEpisode>
}

/**
 * Reads what {@link encodeContents} made.
 *
 * @param isSealed whether its rows are encrypted.
 * @throws AgidbError `AGIDB_CORRUPT`, at once or while the rows are read.
 */
export async function decodeContents(bytes: ByteReader, isSealed: boolean): Promise<ExportContents> {
  const digest = sha256.create()
  const take: Take = async (length, what) => {
    const taken = await bytes.take(length)
    if (taken.length < length) throw damaged(`it ends in the middle of ${what}`)
    digest.update(taken)
    return taken
  }
  const about = decodeAbout(await take(ABOUT_BYTES, 'what it says of itself'))
  const keys = isSealed ? await decodeExportKeys(take, about.rows) : undefined

  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: each check stands where its bytes are read
  async function* rows(): AsyncGenerator<StoredEpisode> {
    for (let row = 0; ; row++) {
      const length = uint32(await take(LENGTH_BYTES, `row ${row}`))
      if (length === 0) {
        const count = uint32(await take(LENGTH_BYTES, 'the number of its rows'))
        if (row !== about.rows || row !== count)
          throw damaged(`it has ${row} rows, and says that there are ${row === count ? about.rows : count}`, {
            rows: row,
          })
        const expected = digest.digest()
        const found = await bytes.take(DIGEST_BYTES)
        if (found.length < DIGEST_BYTES || found.some((byte, i) => byte !== expected[i]))
          throw damaged('its digest is wrong')
        if ((await bytes.take(1)).length > 0) throw damaged('there is more after its digest')
        return
      }
      if (row >= about.rows)
        throw damaged(`it has more rows than the ${about.rows} that it says there are`, { rows: about.rows })
      if (length > MAX_ROW_BYTES || length < ENTRY_HEADER_BYTES)
        throw damaged(`row ${row} says that it has ${length} bytes`, { row, length })
      yield decodeRow(await take(length, `row ${row}`), row)
    }
  }
  return { about, ...(keys && { keys }), rows: rows() }
}

function encodeAbout({ databaseId, exportedAt, rows }: About): Uint8Array {
  const bytes = new Uint8Array(ABOUT_BYTES)
  const view = new DataView(bytes.buffer)
  bytes.set(fromHex(databaseId))
  view.setBigUint64(16, BigInt(exportedAt), true)
  view.setUint32(24, rows, true)
  return bytes
}

function decodeAbout(bytes: Uint8Array): About {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const exportedAt = Number(view.getBigUint64(16, true))
  // Beyond it no Date exists, ECMA-262.
  if (exportedAt > 8.64e15) throw damaged('it was made at a time that does not exist')
  const databaseId = toHex(bytes.subarray(0, 16))
  return { databaseId, exportedAt, rows: view.getUint32(24, true) }
}

/** The length of an entry and the entry, as a journal has it. */
function encodeRow(row: StoredEpisode): Uint8Array {
  // In front of the entries of a frame stands their number: that place takes the length.
  const { body } = encodeChanges([{ op: 'put', ...row, signatures: present(row.signatures) }], 0, MAX_ROW_BYTES)
  new DataView(body.buffer).setUint32(0, body.length - LENGTH_BYTES, true)
  return body
}

/** Signatures without the empty ones, which say that there is none. */
function present(signatures: Signatures): Signatures {
  return Object.fromEntries(Object.entries(signatures).filter(([, bytes]) => bytes!.length > 0))
}

function decodeRow(bytes: Uint8Array, row: number): StoredEpisode {
  try {
    const entry = readEntry(bytes, 0)
    if (entry.op !== 'put' || entry.slot !== row || entry.end !== bytes.length || !entryIsIntact(bytes, entry))
      throw damaged(`row ${row} is no row`, { row })
    return {
      slot: row,
      id: entryId(bytes, entry),
      row: bytes.subarray(entry.rowAt, entry.signaturesAt),
      ...entrySignatures(bytes, entry),
    }
  } catch (cause) {
    throw damaged(`row ${row} cannot be read`, { row }, cause)
  }
}

function encodeEnd(rows: number): Uint8Array {
  const bytes = new Uint8Array(2 * LENGTH_BYTES)
  new DataView(bytes.buffer).setUint32(LENGTH_BYTES, rows, true)
  return bytes
}

function uint32(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0, true)
}
