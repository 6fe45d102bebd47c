/**
 * CRC-32C (Castagnoli, reflected polynomial 0x82F63B78; RFC 3720 appendix B.4), eight bytes at a time
 * (Kounavis and Berry 2005, "slicing by 8").
 */

const TABLES: readonly Uint32Array[] = buildTables()

function buildTables(): Uint32Array[] {
  const tables = Array.from({ length: 8 }, () => new Uint32Array(256))
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1
    tables[0][byte] = crc
  }
  for (let byte = 0; byte < 256; byte++) {
    for (let slice = 1; slice < 8; slice++) {
      const before = tables[slice - 1][byte]
      tables[slice][byte] = (before >>> 8) ^ tables[0][before & 0xff]
    }
  }
  return tables
}

/**
 * The CRC-32C of bytes `start` to `end` (exclusive), as an unsigned 32-bit number.
 * Check value: `crc32c` of the ASCII digits `123456789` is `0xE3069283`.
 */
export function crc32c(bytes: Uint8Array, start = 0, end = bytes.length): number {
  const [t0, t1, t2, t3, t4, t5, t6, t7] = TABLES
  let crc = 0xffffffff
  let at = start
  for (const last = end - 8; at <= last; at += 8) {
    crc ^= bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24)
    crc =
      t7[crc & 0xff] ^
      t6[(crc >>> 8) & 0xff] ^
      t5[(crc >>> 16) & 0xff] ^
      t4[crc >>> 24] ^
      t3[bytes[at + 4]] ^
      t2[bytes[at + 5]] ^
      t1[bytes[at + 6]] ^
      t0[bytes[at + 7]]
  }
  for (; at < end; at++) crc = (crc >>> 8) ^ t0[(crc ^ bytes[at]) & 0xff]
  return (crc ^ 0xffffffff) >>> 0
}
