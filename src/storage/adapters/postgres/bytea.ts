// Bytes as the text form of bytea (PostgreSQL manual, 8.4.1 "hex format"): every driver sends and takes it the same.

/**
 * A value of type bytea as the driver gave it, in an array of its own: drivers answer a `Uint8Array`, a `Buffer`, or
 * text in hex format.
 *
 * @throws TypeError when it is none of these.
 */
export function fromBytea(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return new Uint8Array(value)
  if (typeof value !== 'string' || !/^\\x(?:[0-9a-f]{2})*$/.test(value))
    throw new TypeError('the driver gave no bytes for a column of type bytea')
  const bytes = new Uint8Array(value.length / 2 - 1)
  for (let index = 0; index < bytes.length; index++)
    bytes[index] = Number.parseInt(value.slice(2 * index + 2, 2 * index + 4), 16)
  return bytes
}
