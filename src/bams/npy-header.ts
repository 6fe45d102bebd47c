import { AgidbError } from '../base/errors.js'

/** What the header of a file of NumPy says of its numbers. */
export interface NpyHeader {
  /** Byte order and type, such as `<f4`. */
  readonly descr: string
  readonly fortran: boolean
  readonly shape: readonly number[]
  /** Where the numbers begin. */
  readonly start: number
}

const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59]
/** Of version 1 by its format; the headers of later versions are longer only where they name fields of records. */
const LONGEST = 65_535
/** As of NumPy before version 2. */
const MOST_DIMENSIONS = 32

/**
 * The header, which is a dictionary of Python with three known keys. Nothing of it is evaluated.
 *
 * @throws AgidbError `AGIDB_PARSE`, `AGIDB_UNSUPPORTED` for another version, `AGIDB_TOO_LARGE` for a longer header
 */
export function readHeader(bytes: Uint8Array): NpyHeader {
  if (bytes.length < 10 || MAGIC.some((byte, i) => bytes[i] !== byte))
    throw damaged('the file does not begin as one of NumPy does (\\x93NUMPY)')
  const version = bytes[6]
  if (version < 1 || version > 3 || bytes[7] !== 0)
    throw new AgidbError('AGIDB_UNSUPPORTED', `version ${version}.${bytes[7]} of .npy is not read; 1.0 to 3.0 are`)
  const before = version === 1 ? 10 : 12
  if (bytes.length < before) throw damaged('the file ends in its header')
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  const length = version === 1 ? view.getUint16(8, true) : view.getUint32(8, true)
  if (length > LONGEST) {
    const message = `the header has ${length} bytes; at most ${LONGEST} are read`
    throw new AgidbError('AGIDB_TOO_LARGE', message, { bytes: length, limit: LONGEST })
  }
  const start = before + length
  if (bytes.length < start) throw damaged('the file ends in its header')
  const text = new TextDecoder(version === 3 ? 'utf-8' : 'latin1').decode(bytes.subarray(before, start))
  return { ...readDictionary(text), start }
}

function readDictionary(text: string): Omit<NpyHeader, 'start'> {
  const found = new Map<string, string>()
  const inner = /^\{([^{}]*)\}[ \n]*$/.exec(text)?.[1]
  if (inner === undefined) throw damaged('the header is no dictionary')
  // Each part is matched where the last one ended, so that the time is linear in the length of the header.
  const part = / *'([a-z_]+)' *: *('[^']*'|True|False|\([\d, ]*\)) *(,|$)/y
  let at = 0
  while (at < inner.trimEnd().length) {
    part.lastIndex = at
    const match = part.exec(inner)
    if (match === null) throw damaged(`the header cannot be read from ${JSON.stringify(inner.slice(at, at + 40))} on`)
    if (found.has(match[1])) throw damaged(`the header has ${match[1]} twice`)
    found.set(match[1], match[2])
    at = part.lastIndex
  }
  const [descr, order, shape] = ['descr', 'fortran_order', 'shape'].map((key) => {
    const value = found.get(key)
    if (value === undefined) throw damaged(`the header has no ${key}`)
    return value
  })
  if (found.size > 3) throw damaged('the header has more than descr, fortran_order and shape')
  if (!descr.startsWith("'")) throw damaged('the descr of the header is no text')
  if (order !== 'True' && order !== 'False') throw damaged('the fortran_order of the header is neither True nor False')
  return { descr: descr.slice(1, -1), fortran: order === 'True', shape: readShape(shape) }
}

function readShape(text: string): number[] {
  const inner = text.slice(1, -1).trim()
  if (!text.startsWith('(') || !/^(|\d{1,15} *,( *\d{1,15} *,)*( *\d{1,15})?)$/.test(inner))
    throw damaged(`the shape ${JSON.stringify(text.slice(0, 40))} of the header is no tuple of whole numbers`)
  const shape = inner
    .split(',')
    .filter((length) => length.trim() !== '')
    .map(Number)
  if (shape.length > MOST_DIMENSIONS)
    throw damaged(`the shape has ${shape.length} dimensions; at most ${MOST_DIMENSIONS} are read`)
  return shape
}

function damaged(message: string): AgidbError {
  return new AgidbError('AGIDB_PARSE', message)
}
