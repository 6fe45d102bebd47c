// Bytes as the text form of bytea (PostgreSQL manual, 8.4.1 "hex format"): every driver sends and takes it the same.

/**
 * A value of type bytea as the driver gave it, in an array of its own: drivers answer a `Uint8Array`, a `Buffer`, or
 * text in hex format.
 *
 * @throws TypeError when it is none of these.
 */
export function fromBytea(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return new Uint8Array(value)
  if (typeof value !== 'string' || !value.startsWith('\\x') || value.length % 2 !== 0) throw noBytes()
  const bytes = new Uint8Array(value.length / 2 - 1)
  for (let index = 0, at = 2; index < bytes.length; index++, at += 2)
    bytes[index] = (digit(value.charCodeAt(at)) << 4) | digit(value.charCodeAt(at + 1))
  return bytes
}

/** The value of a hexadecimal digit, by its code: quicker than `parseInt` of a piece of the text for each byte. */
function digit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  if (code >= 0x61 && code <= 0x66) return code - 0x57
  throw noBytes()
}

function noBytes(): TypeError {
  return new TypeError('the driver gave no bytes for a column of type bytea')
}
