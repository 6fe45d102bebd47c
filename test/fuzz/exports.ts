import { readFileSync } from 'node:fs'
import { sha256 } from '@noble/hashes/sha2.js'
import { DEFAULT_LIMITS } from '../../src/api/check.js'
import { crc32c } from '../../src/base/crc32c.js'
import { Acceptance } from '../../src/transfer/acceptance.js'
import { CHUNK_BYTES } from '../../src/transfer/chunks.js'
import { EXPORT_HEADER_BYTES } from '../../src/transfer/header.js'
import { sensoryFrameKind } from '../../src/records/kinds/sensory-frame.js'
import { readImport } from '../../src/transfer/import.js'
import { openMemory } from '../unit/engine/open.js'
import { mutate, type Random } from './mutate.js'
import type { Probe, Target } from './target.js'

const utf8 = new TextEncoder()
const WHOLE = new Uint8Array(readFileSync(new URL('../unit/transfer/fixtures/export-1.agidb', import.meta.url)))
const HEAD = EXPORT_HEADER_BYTES + 16
const LINES = utf8.encode(
  '{"id":"a","text":"It was ' +
    'said.","at":"2026-05-01T19:00:00Z","triples":[{"subject":"a","predicate":"b","object":"c"}]}\n{"text":"b"}\n',
)
const WORDS = [
  '"__proto__":{}',
  '"constructor":1',
  '[[[[[[',
  '\\ud800',
  '{"',
  '"}',
  'null',
  '1e999',
  '-0',
  '\u0001',
  '"kind":"goalSet"',
  '"upTo":-5',
  '"parent":"g"',
  '\n',
].map((word) => utf8.encode(word))

/** What of the contents is not signatures, which are noise: some rows of each kind. */
const CONTENTS = WHOLE.slice(HEAD, -32)

const AT = '2026-05-01T19:00:00.000Z'
/** A frame of several senses, which the export of an earlier version has not. */
const SEVERAL = sensoryFrameKind.encode({
  frame: {
    ...{ id: 'sf_several', modality: 'multimodal', text: 'A bell.', at: AT, receivedAt: AT },
    surprise: 0.75,
    goalRelevance: 0,
    parts: [
      { modality: 'text', surprise: 0.5 },
      { modality: 'image', surprise: 0.75, encoder: 'eye', latent: Float32Array.of(1, -2, 0.5) },
      { modality: 'audio', surprise: 0.25, encoder: 'ear', latent: Float32Array.of(3, 4) },
    ],
  },
  number: 3,
})

async function* pieces(bytes: Uint8Array, from: Random) {
  for (let at = 0; at < bytes.length; ) {
    const length = from.pick([1, 7, 64, 5000, bytes.length])
    yield bytes.subarray(at, (at += length))
  }
}

/** A damaged export: every row of it is accepted, or it is refused. */
export const exports: Target = {
  name: 'export',
  stages: { header: 0.8, rows: 0.5, accepted: 0.06 },
  async run(from, probe) {
    await read(input(from), from, probe)
  },
}

async function read(bytes: Uint8Array, from: Random, probe: Probe): Promise<void> {
  const imported = await readImport(pieces(bytes, from), {}, DEFAULT_LIMITS)
  probe.reached('header')
  if (imported.format === 'jsonl') {
    for await (const _ of imported.observations) probe.reached('rows')
  } else {
    const acceptance = new Acceptance(DEFAULT_LIMITS)
    for await (const row of imported.rows) {
      probe.reached('rows')
      acceptance.check(row)
    }
  }
  probe.reached('accepted')
}

function input(from: Random): Uint8Array {
  const kind = from.below(8)
  if (kind === 0) return mutate([WHOLE], from)
  if (kind === 1) return mutate([LINES], from, WORDS)
  return sealed(rows(from))
}

/** Contents with a row or two changed, whose checksum and length are right for the most part. */
function rows(from: Random): Uint8Array {
  if (from.below(4) === 0) return mutate([CONTENTS], from, WORDS)
  const view = new DataView(CONTENTS.buffer, CONTENTS.byteOffset, CONTENTS.byteLength)
  const kept: Uint8Array[] = []
  for (let at = 32; view.getUint32(at, true) !== 0; at += 4 + view.getUint32(at, true))
    kept.push(CONTENTS.slice(at + 4, at + 4 + view.getUint32(at, true)))
  kept.push(entryOf(kept[0], 'sf_several', SEVERAL))
  const chosen = Array.from({ length: 1 + from.below(3) }, () => from.pick(kept))
  const out: number[] = [...CONTENTS.subarray(0, 24), ...le32(chosen.length), 0, 0, 0, 0]
  chosen.forEach((row, slot) => {
    const entry = new DataView(row.buffer, row.byteOffset, row.byteLength)
    const [idLength, rowLength] = [entry.getUint16(6, true), entry.getUint32(12, true)]
    const json =
      from.below(3) === 0
        ? row.subarray(16 + idLength, 16 + idLength + rowLength)
        : mutate([row.subarray(16 + idLength, 16 + idLength + rowLength)], from, WORDS)
    const whole = new Uint8Array(16 + idLength + json.length)
    whole.set(row.subarray(0, 16 + idLength))
    whole.set(json, 16 + idLength)
    const head = new DataView(whole.buffer)
    head.setUint8(5, 0)
    head.setUint32(8, slot, true)
    head.setUint32(12, json.length, true)
    const changed = from.below(6) === 0 ? mutate([whole], from) : whole
    if (changed.length >= 16) new DataView(changed.buffer, changed.byteOffset).setUint32(0, crc32c(changed, 4), true)
    out.push(...le32(changed.length), ...changed)
  })
  return Uint8Array.from([...out, 0, 0, 0, 0, ...le32(chosen.length)])
}

/** A put of a row, after the head of another one. */
function entryOf(other: Uint8Array, id: string, row: Uint8Array): Uint8Array {
  const entry = Uint8Array.from([...other.subarray(0, 16), ...utf8.encode(id), ...row])
  const head = new DataView(entry.buffer)
  head.setUint16(6, id.length, true)
  head.setUint32(12, row.length, true)
  return entry
}

/** In one chunk, with its digest. */
function sealed(contents: Uint8Array): Uint8Array {
  const length = Math.min(contents.length + 32, CHUNK_BYTES)
  const bytes = new Uint8Array(HEAD + length)
  bytes.set(WHOLE.subarray(0, HEAD))
  bytes.set(contents.subarray(0, length - 32), HEAD)
  bytes.set(sha256(contents), HEAD + length - 32)
  const view = new DataView(bytes.buffer)
  view.setUint32(EXPORT_HEADER_BYTES + 4, length, true)
  view.setUint32(EXPORT_HEADER_BYTES + 8, 0, true)
  view.setUint32(EXPORT_HEADER_BYTES + 12, 1, true)
  view.setUint32(EXPORT_HEADER_BYTES, crc32c(bytes, EXPORT_HEADER_BYTES + 4), true)
  return bytes
}

function le32(value: number): number[] {
  return [value & 255, (value >>> 8) & 255, (value >>> 16) & 255, value >>> 24]
}

/** What was accepted is a memory that answers; what was refused changes nothing. Slower than the others. */
export const imports: Target = {
  name: 'import',
  stages: { accepted: 0.03 },
  async run(from, probe) {
    const db = await openMemory()
    probe.allowed = Infinity // what a kernel has in main memory is not told apart
    try {
      await db.import(input(from))
      probe.reached('accepted')
      await db.recall('what was said of Bawri?', { traceAttention: true })
      await db.activeGoals()
      await db.whatDoIBelieve('Bawri')
      await db.proceduresFor('a table')
      await db.semanticAtoms()
      await db.whatDidILearn(0)
      await db.introspect({ question: 'what did I learn?' } as never).catch(() => {})
      await db.consolidate()
      await db.observe('It goes on.')
    } finally {
      await db.close()
    }
  },
}
