import { AgidbError } from '../base/errors.js'
import { readHeader } from './npy-header.js'

/** Numbers with a shape. */
export interface NumberArray {
  /** How many there are along each dimension; empty for a single number. */
  readonly shape: readonly number[]
  /** In the order of C: the last dimension runs fastest. */
  readonly values: Float64Array
}

type Read = (view: DataView, at: number, little: boolean) => number

const TYPES: Readonly<Record<string, { readonly bytes: number; readonly read: Read }>> = {
  f4: { bytes: 4, read: (view, at, little) => view.getFloat32(at, little) },
  f8: { bytes: 8, read: (view, at, little) => view.getFloat64(at, little) },
  i1: { bytes: 1, read: (view, at) => view.getInt8(at) },
  i2: { bytes: 2, read: (view, at, little) => view.getInt16(at, little) },
  i4: { bytes: 4, read: (view, at, little) => view.getInt32(at, little) },
  i8: { bytes: 8, read: (view, at, little) => exact(view.getBigInt64(at, little), at) },
  u1: { bytes: 1, read: (view, at) => view.getUint8(at) },
  u2: { bytes: 2, read: (view, at, little) => view.getUint16(at, little) },
  u4: { bytes: 4, read: (view, at, little) => view.getUint32(at, little) },
  u8: { bytes: 8, read: (view, at, little) => exact(view.getBigUint64(at, little), at) },
}

/**
 * Reads a file of NumPy (`.npy`, versions 1 to 3): floats of 4 and 8 bytes and integers, of either byte order, in the
 * order of C or Fortran.
 *
 * @throws AgidbError `AGIDB_PARSE` for a file that is damaged, cut short or longer than its shape says, and for an
 * integer that no double holds; `AGIDB_UNSUPPORTED` for another version or type, such as objects
 */
export function readNpy(file: Uint8Array | ArrayBuffer): NumberArray {
  const bytes = file instanceof Uint8Array ? file : new Uint8Array(file)
  const { descr, fortran, shape, start } = readHeader(bytes)
  const [, order, name] = /^([<>|=])([a-z]\d+)$/.exec(descr) ?? []
  const type = name === undefined ? undefined : TYPES[name]
  if (type === undefined || (order === '|' && type.bytes > 1)) {
    const known = Object.keys(TYPES).join(', ')
    throw new AgidbError(
      'AGIDB_UNSUPPORTED',
      `numbers of the type ${JSON.stringify(descr)} are not read; ${known} are`,
      {
        descr,
      },
    )
  }
  const count = shape.reduce((product, length) => product * length, 1)
  const there = bytes.length - start
  if (count * type.bytes !== there) {
    const needed = `the shape (${shape.join(', ')}) needs ${count * type.bytes} bytes`
    const message = `${needed}; the file has ${there} after its header`
    throw new AgidbError('AGIDB_PARSE', message, { shape, bytes: there })
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset + start, there)
  const values = new Float64Array(count)
  for (let i = 0; i < count; i++) values[i] = type.read(view, i * type.bytes, order !== '>')
  return { shape, values: fortran ? inOrderOfC(values, shape) : values }
}

function exact(value: bigint, at: number): number {
  const number = Number(value)
  if (Number.isSafeInteger(number)) return number
  const message = `the integer ${value} at byte ${at} of the numbers is more than a double holds; save it as f8`
  throw new AgidbError('AGIDB_PARSE', message, { at })
}

/** Numbers whose first dimension runs fastest, with the last running fastest. */
function inOrderOfC(values: Float64Array, shape: readonly number[]): Float64Array {
  if (shape.length < 2) return values
  const result = new Float64Array(values.length)
  const index = new Array<number>(shape.length).fill(0)
  const strides: number[] = []
  shape.reduce((stride, length) => (strides.push(stride), stride * length), 1)
  let from = 0
  for (let to = 0; to < values.length; to++) {
    result[to] = values[from]
    for (let d = shape.length - 1; d >= 0; d--) {
      from += strides[d]
      if (++index[d] < shape[d]) break
      from -= strides[d] * shape[d]
      index[d] = 0
    }
  }
  return result
}
