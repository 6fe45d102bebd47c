// Reads files of LevelDB (google/leveldb, doc/table_format.md and doc/log_format.md) without their order and checksums:
// what a search for bytes needs.
import { unsnappy } from './snappy.js'

const FOOTER_BYTES = 48
const TABLE_MAGIC = Buffer.from('57fb808b247547db', 'hex')
const LOG_BLOCK = 32_768
const LOG_HEADER = 7
/** How Chromium begins a value of IndexedDB that it has compressed. */
const COMPRESSED_VALUE = Buffer.of(0xff, 0x11, 0x02)

/** What stands in a file of a profile: its bytes, and what is compressed or cut into pieces in it. */
export function contentsOf(name: string, bytes: Buffer): Buffer[] {
  const parts = [bytes, ...(/\.(?:ldb|sst)$/.test(name) ? tableOf(bytes) : []), ...(isLog(name) ? [logOf(bytes)] : [])]
  return [...parts, ...parts.flatMap(valuesOf)]
}

function isLog(name: string): boolean {
  return /^(?:\d+\.log|MANIFEST-\d+)$/.test(name)
}

/** Keys and values of all blocks of a table. */
function tableOf(bytes: Buffer): Buffer[] {
  if (bytes.length < FOOTER_BYTES || !bytes.subarray(-TABLE_MAGIC.length).equals(TABLE_MAGIC)) return []
  const [meta, afterMeta] = handleAt(bytes, bytes.length - FOOTER_BYTES)
  const [index] = handleAt(bytes, afterMeta)
  const blocks = [index, meta].flatMap((handle) =>
    entriesOf(blockAt(bytes, handle)).map(({ value }) => handleAt(value, 0)[0]),
  )
  return blocks.flatMap((handle) => entriesOf(blockAt(bytes, handle)).flatMap(({ key, value }) => [key, value]))
}

interface Handle {
  readonly at: number
  readonly bytes: number
}

function handleAt(bytes: Buffer, start: number): [Handle, number] {
  const [at, afterAt] = varint(bytes, start)
  const [length, end] = varint(bytes, afterAt)
  return [{ at, bytes: length }, end]
}

function blockAt(bytes: Buffer, { at, bytes: length }: Handle): Buffer {
  const block = bytes.subarray(at, at + length)
  return bytes[at + length] === 1 ? Buffer.from(unsnappy(block) ?? []) : block
}

/** The entries of a block; a key shares its beginning with the one before. */
function entriesOf(block: Buffer): { key: Buffer; value: Buffer }[] {
  const entries: { key: Buffer; value: Buffer }[] = []
  if (block.length < 4) return entries
  const end = block.length - 4 - 4 * block.readUInt32LE(block.length - 4)
  let key = Buffer.alloc(0)
  for (let at = 0; at < end; ) {
    const [shared, afterShared] = varint(block, at)
    const [own, afterOwn] = varint(block, afterShared)
    const [length, keyAt] = varint(block, afterOwn)
    key = Buffer.concat([key.subarray(0, shared), block.subarray(keyAt, keyAt + own)])
    at = keyAt + own + length
    entries.push({ key, value: block.subarray(keyAt + own, at) })
  }
  return entries
}

/** The records of a log, without the headers of the pieces into which they are cut. */
function logOf(bytes: Buffer): Buffer {
  const pieces: Buffer[] = []
  for (let block = 0; block < bytes.length; block += LOG_BLOCK) {
    const end = Math.min(block + LOG_BLOCK, bytes.length)
    for (let at = block; at + LOG_HEADER <= end; ) {
      const length = bytes.readUInt16LE(at + 4)
      pieces.push(bytes.subarray(at + LOG_HEADER, Math.min(at + LOG_HEADER + length, end)))
      at += LOG_HEADER + length
    }
  }
  return Buffer.concat(pieces)
}

/** Values of IndexedDB that are compressed by themselves. */
function valuesOf(bytes: Buffer): Buffer[] {
  const values: Buffer[] = []
  for (let at = bytes.indexOf(COMPRESSED_VALUE); at >= 0; at = bytes.indexOf(COMPRESSED_VALUE, at + 1)) {
    const value = unsnappy(bytes, at + COMPRESSED_VALUE.length)
    if (value !== undefined) values.push(Buffer.from(value))
  }
  return values
}

function varint(bytes: Buffer, start: number): [number, number] {
  let [number, at] = [0, start]
  for (let shift = 0; at < bytes.length && shift < 56; shift += 7) {
    const byte = bytes[at++]
    number += (byte & 0x7f) * 2 ** shift
    if (byte < 0x80) break
  }
  return [number, at]
}
