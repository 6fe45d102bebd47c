/**
 * CRC-32C (Castagnoli, reflected polynomial 0x82F63B78; RFC 3720 appendix B.4), eight bytes at a time
 * (Kounavis and Berry 2005, "slicing by 8").
 */

/** Eight tables of 256, one after the other. */
const TABLES = buildTables()
/** Whether numbers lie in memory with their lowest byte first, as they do nearly everywhere. */
const LITTLE = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1

function buildTables(): Int32Array {
  const tables = new Int32Array(8 * 256)
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1
    tables[byte] = crc
  }
  for (let at = 256; at < tables.length; at++) {
    const before = tables[at - 256]
    tables[at] = (before >>> 8) ^ tables[before & 0xff]
  }
  return tables
}

/**
 * The CRC-32C of bytes `start` to `end` (exclusive), as an unsigned 32-bit number.
 * Check value: `crc32c` of the ASCII digits `123456789` is `0xE3069283`.
 */
export function crc32c(bytes: Uint8Array, start = 0, end = bytes.length): number {
  let crc = -1
  let at = start
  // Words of four bytes begin where their address is a multiple of four.
  const whole = Math.min(end, at + (-(bytes.byteOffset + at) & 3))
  for (; at < whole; at++) crc = (crc >>> 8) ^ TABLES[(crc ^ bytes[at]) & 0xff]
  const pairs = LITTLE ? (end - at) >>> 3 : 0
  if (pairs > 0) {
    const words = new Int32Array(bytes.buffer, bytes.byteOffset + at, 2 * pairs)
    for (let i = 0; i < words.length; i += 2) {
      const low = words[i] ^ crc
      const high = words[i + 1]
      crc =
        TABLES[1792 + (low & 0xff)] ^
        TABLES[1536 + ((low >>> 8) & 0xff)] ^
        TABLES[1280 + ((low >>> 16) & 0xff)] ^
        TABLES[1024 + (low >>> 24)] ^
        TABLES[768 + (high & 0xff)] ^
        TABLES[512 + ((high >>> 8) & 0xff)] ^
        TABLES[256 + ((high >>> 16) & 0xff)] ^
        TABLES[high >>> 24]
    }
    at += 8 * pairs
  }
  for (; at < end; at++) crc = (crc >>> 8) ^ TABLES[(crc ^ bytes[at]) & 0xff]
  return ~crc >>> 0
}
