import { expect, test } from 'vitest'
import { DEFAULT_LIMITS } from '../../../../src/api/check.js'
import type { Episode } from '../../../../src/api/episode.js'
import { RowCheck } from '../../../../src/engine/verify.js'
import { Findings } from '../../../../src/api/findings.js'
import { type VersionRecord, versionKind } from '../../../../src/records/kinds/version.js'
import { faultOfRow } from '../../../../src/records/fault.js'
import { ImportCheck } from '../../../../src/records/record-kind.js'
import { RECORD_KINDS } from '../../../../src/records/registry.js'

const AT = '2027-01-15T08:00:00.000Z'
const content: Episode = {
  id: 'a',
  text: 'The office is in Rome. 🏛',
  at: AT,
  recordedAt: AT,
  triples: [],
  provenance: { writer: 'test', episodes: ['a'] },
}
const version: VersionRecord = { id: 've_1', episode: 'a', number: 1, replacedAt: AT, content }
const check = new ImportCheck('row 7', DEFAULT_LIMITS)

test('a version is read as it was written, and belongs to its episode', () => {
  const row = versionKind.encode(version)
  expect(RECORD_KINDS.find(row)).toBe(versionKind)
  expect(versionKind.decode(row)).toEqual(version)
  expect(faultOfRow(versionKind, row, 've_1', check)).toBeUndefined()
  expect(versionKind.subjects(version)).toEqual(['a'])
})

test('an import refuses what is no version of an episode', () => {
  const wrong = 'is no version of an episode'
  expect(faultOfRow(versionKind, versionKind.encode(version), 've_2', check)).toBe(wrong)
  for (const other of [
    { number: 0 },
    { number: 1.5 },
    { replacedAt: 'yesterday' },
    { episode: 'b' },
    { content: { ...content, text: ' ' } },
  ])
    expect(faultOfRow(versionKind, versionKind.encode({ ...version, ...other }), 've_1', check)).toBe(wrong)
  const row = versionKind.encode(version)
  for (const length of [1, 4, 5, 20]) {
    expect(faultOfRow(versionKind, row.subarray(0, length), 've_1', check)).toBe(wrong)
    expect(() => versionKind.decode(row.subarray(0, length))).toThrow(
      expect.objectContaining({ code: 'AGIDB_CORRUPT' }) as Error,
    )
  }
  expect(() => versionKind.decode(row.subarray(0, row.length - 1))).toThrow('cannot be read')
})

test('verify reports the row of a version that cannot be read', () => {
  const findings = new Findings()
  const rows = new RowCheck(findings)
  const row = versionKind.encode(version)
  rows.visit({ slot: 3, id: 've_1', row, signatures: {} })
  expect(findings.problems).toEqual([])
  rows.visit({ slot: 3, id: 've_1', row: row.subarray(0, row.length - 1), signatures: {} })
  expect(findings.problems).toMatchObject([{ code: 'row-unreadable', harm: 'loss' }])
})
