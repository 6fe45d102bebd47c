import { FIELD_LIMITS } from '../../api/field-limits.js'
import type { Limits } from '../../api/open-options.js'
import type { Signatures } from '../../api/storage.js'
import { crc32c } from '../../base/crc32c.js'
import { AgidbError } from '../../base/errors.js'
import { parsePlain } from '../../base/plain-json.js'
import { decodeUtf8, encodeUtf8 } from '../../base/utf8.js'
import { MARKED_BYTES } from '../../encoding/latent.js'
import { ENCODER_VERSION } from '../../encoding/encoder.js'
import { kindOf } from '../../records/events/registry.js'
import { faultOfRow } from '../../records/fault.js'
import { learningEventKind } from '../../records/kinds/learning-event.js'
import { ImportCheck, type RecordKinds, unknownKind } from '../../records/record-kind.js'
import { list, maybe, name, object, type Shape, text, time, whole } from '../../records/shapes.js'
import { DEVICE_DIGITS, deviceOf, isStamp } from './clock.js'
import { sharedRecord, type SharedRecord } from './shared.js'
import type { Entry, Removal, Supersession } from './state.js'

/** `AGIDBSYN`, the version of the form, that of the encoder, the length of the JSON, that of the rows, a checksum. */
const MAGIC = encodeUtf8('AGIDBSYN')
const VERSION = 1
const HEADER_BYTES = 32
const CHECKSUM_AT = 28
/** Bytes of changes that are accepted. */
export const MAX_CHANGES_BYTES = 2 ** 26

/** Signatures that nothing but the device that perceived something can make. */
export const PERCEIVED = ['image', 'audio', 'video'] as const

/** A record as it is exchanged. */
export interface WireRecord extends Pick<Entry, 'place' | 'birth' | 'stamp' | 'counter'> {
  readonly id: string
  readonly row: Uint8Array
  readonly perceived: Signatures
}

/** A record that came, with what it says of itself. */
export interface ArrivedRecord extends WireRecord {
  readonly record: SharedRecord
}

/** What one device tells another. */
export interface WireChanges<R = WireRecord> {
  readonly device: string
  /** What a memory must have received for these changes to leave no gap. */
  readonly since: Readonly<Record<string, number>>
  readonly vector: Readonly<Record<string, number>>
  readonly records: readonly R[]
  readonly supersessions: readonly Supersession[]
  readonly removals: readonly (Removal & { readonly hash: string })[]
}

/** Of a record, everything but its bytes. */
interface RecordHead extends Pick<WireRecord, 'id' | 'place' | 'birth' | 'stamp' | 'counter'> {
  readonly bytes: number
  readonly perceived?: readonly { readonly kind: string; readonly bytes: number }[]
}

export function encodeChanges({ records, ...others }: WireChanges): Uint8Array {
  const rows: Uint8Array[] = []
  const heads = records.map(({ id, place, birth, stamp, counter, row, perceived }): RecordHead => {
    rows.push(row)
    const signatures = PERCEIVED.flatMap((kind) => {
      const bytes = perceived[kind]
      if (bytes === undefined || bytes.length === 0) return []
      rows.push(bytes)
      return [{ kind, bytes: bytes.length }]
    })
    const head = { id, place, birth, stamp, counter, bytes: row.length }
    return signatures.length === 0 ? head : { ...head, perceived: signatures }
  })
  const json = encodeUtf8(JSON.stringify({ ...others, records: heads }))
  const length = rows.reduce((sum, row) => sum + row.length, 0)
  const bytes = new Uint8Array(HEADER_BYTES + json.length + length)
  bytes.set(MAGIC)
  const view = new DataView(bytes.buffer)
  const header = [VERSION, ENCODER_VERSION, json.length, length, 0]
  header.forEach((value, i) => view.setUint32(MAGIC.length + 4 * i, value, true))
  bytes.set(json, HEADER_BYTES)
  let at = HEADER_BYTES + json.length
  for (const row of rows) {
    bytes.set(row, at)
    at += row.length
  }
  view.setUint32(CHECKSUM_AT, crc32c(bytes), true)
  return bytes
}

const stamp: Shape = (value) => isStamp(value)
/** A time of birth is a stamp, or lies right after one. */
const birth: Shape = (value) =>
  typeof value === 'string' && isStamp(value.slice(0, 32)) && /^\+?$/.test(value.slice(32))
const id = text(FIELD_LIMITS.episode.id)
const most = { items: 2 ** 26 } as const
const SHAPE = object({
  device: (value) => isDevice(value),
  since: (value) => isVector(value),
  vector: (value) => isVector(value),
  records: list(
    object({
      id,
      place: stamp,
      birth,
      stamp,
      counter: whole,
      bytes: whole,
      perceived: maybe(list(object({ kind: name, bytes: whole }), most)),
    }),
    most,
  ),
  supersessions: list(object({ episode: id, by: id, at: time, recordedAt: time, stamp, counter: whole }), most),
  removals: list(object({ hash: (value) => /^[0-9a-f]{32}$/.test(String(value)), stamp, counter: whole }), most),
})

/** Whether a value is a vector of versions. */
export function isVector(value: unknown): value is Readonly<Record<string, number>> {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.entries(value).every(([device, count]) => isDevice(device) && Number.isSafeInteger(count) && count > 0)
  )
}

function isDevice(value: unknown): boolean {
  return typeof value === 'string' && value.length === DEVICE_DIGITS && /^[0-9a-f]+$/.test(value)
}

/**
 * Reads changes that come from outside, and checks all of them before anything is done.
 *
 * @throws AgidbError as `SyncMethods.apply` does.
 */
export function decodeChanges(bytes: Uint8Array, limits: Limits, kinds: RecordKinds): WireChanges<ArrivedRecord> {
  const { json, rows } = partsOf(bytes)
  const what = 'changes'
  const parsed = parsePlain(jsonText(json), what)
  if (!SHAPE(parsed, { what, limits })) throw corrupt('are not what agidb writes')
  const { records: heads, ...others } = parsed as Omit<WireChanges, 'records'> & {
    readonly records: readonly RecordHead[]
  }
  expectCounted([...heads, ...others.supersessions, ...others.removals], others.vector)
  let at = 0
  const take = (length: number): Uint8Array => {
    if (length < 0 || length > rows.length - at) throw corrupt('end within a row')
    return rows.subarray(at, (at += length))
  }
  const ids = new Set<string>()
  const records = heads.map(({ bytes, perceived = [], ...head }, i): ArrivedRecord => {
    if (ids.has(head.id)) throw corrupt('have two rows with one id')
    ids.add(head.id)
    const row = take(bytes)
    const signatures = perceived.map(({ kind, bytes: length }) => {
      if (!PERCEIVED.some((one) => one === kind) || length < MARKED_BYTES || length % MARKED_BYTES !== 0)
        throw corrupt(`have a ${JSON.stringify(kind.slice(0, 20))} signature of ${length} bytes`)
      return [kind, take(length)] as const
    })
    const record = checkedRecord(row, head.id, new ImportCheck(`row ${i}`, limits), kinds)
    return { ...head, row: record.row, perceived: Object.fromEntries(signatures), record }
  })
  if (at !== rows.length) throw corrupt('have bytes after their end')
  return { ...others, records }
}

function partsOf(bytes: Uint8Array): { readonly json: Uint8Array; readonly rows: Uint8Array } {
  if (bytes.length > MAX_CHANGES_BYTES) {
    throw new AgidbError(
      'AGIDB_TOO_LARGE',
      `changes have ${bytes.length} bytes; at most ${MAX_CHANGES_BYTES} are accepted: ask for fewer (maxBytes)`,
      { bytes: bytes.length, limit: MAX_CHANGES_BYTES },
    )
  }
  if (!MAGIC.every((byte, i) => bytes[i] === byte))
    throw new AgidbError('AGIDB_FOREIGN_FILE', 'these bytes are no changes of an agidb memory', {})
  if (bytes.length < HEADER_BYTES) throw corrupt('are cut short')
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const [version, encoder, jsonBytes, rowBytes] = [0, 1, 2, 3].map((i) => view.getUint32(MAGIC.length + 4 * i, true))
  if (version > VERSION) {
    const message = `the changes have version ${version}, which this version of agidb does not know: use a newer one`
    throw new AgidbError('AGIDB_NEWER_FORMAT', message, { version })
  }
  if (version < 1 || bytes.length !== HEADER_BYTES + jsonBytes + rowBytes) throw corrupt('are cut short or too long')
  if (view.getUint32(CHECKSUM_AT, true) !== checksumOf(bytes)) throw corrupt('have a wrong checksum')
  if (encoder !== ENCODER_VERSION) {
    throw new AgidbError(
      'AGIDB_SYNC',
      `the changes come from a memory with version ${encoder} of the encoder, and this one has ${ENCODER_VERSION}, ` +
        'so their answers would differ: use the same version of agidb on both devices',
      { encoder, expected: ENCODER_VERSION },
    )
  }
  const end = HEADER_BYTES + jsonBytes
  return { json: bytes.subarray(HEADER_BYTES, end), rows: bytes.subarray(end) }
}

/** The checksum of all bytes, with zeros where it stands. */
function checksumOf(bytes: Uint8Array): number {
  const whole = bytes.slice()
  whole.fill(0, CHECKSUM_AT, HEADER_BYTES)
  return crc32c(whole)
}

function jsonText(json: Uint8Array): string {
  try {
    return decodeUtf8(json)
  } catch {
    throw corrupt('are no UTF-8')
  }
}

/** @throws AgidbError `AGIDB_CORRUPT` where a change counts for none, or two of one device have one number. */
function expectCounted(all: readonly Removal[], vector: Readonly<Record<string, number>>): void {
  const seen = new Set<string>()
  for (const { stamp, counter } of all) {
    const device = deviceOf(stamp)
    if (counter < 1 || !Object.hasOwn(vector, device) || counter > vector[device])
      throw corrupt('have a change that their vector does not count')
    const dot = `${device} ${counter}`
    if (seen.has(dot)) throw corrupt('have two changes of one device with one number')
    seen.add(dot)
  }
}

function checkedRecord(row: Uint8Array, id: string, check: ImportCheck, kinds: RecordKinds): SharedRecord {
  const kind = kinds.find(row)
  if (kind === undefined) throw unknownKind(row[0], `the changes have a row of kind ${row[0]}`)
  // Whether goals are in a circle is seen when all are there.
  const fault = kind?.tag === learningEventKind.tag ? faultOf(row, id, check) : faultOfRow(kind, row, id, check)
  const record = fault === undefined ? sharedRecord(row, kinds) : undefined
  if (record?.id !== id || record.superseded !== undefined)
    throw corrupt(`have a row (${JSON.stringify(id.slice(0, 40))}) that ${fault ?? 'is not exchanged'}`)
  return record
}

function faultOf(row: Uint8Array, id: string, check: ImportCheck): string | undefined {
  const event = check.json(row.subarray(1)) as { readonly id?: unknown; readonly kind?: string } | null
  const kind = event === null || typeof event !== 'object' ? undefined : kindOf(event as never)
  const isRight = kind !== undefined && kind.shape(event, check.at(event!.kind!)) && event!.id === id
  return isRight ? undefined : 'is no learning event'
}

function corrupt(fault: string): AgidbError {
  return new AgidbError('AGIDB_CORRUPT', `the changes ${fault}; nothing was applied`, {})
}
