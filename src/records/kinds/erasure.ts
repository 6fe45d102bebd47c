import type { RecordKind } from '../record-kind.js'

const TAG = 7

/**
 * That records were removed for good and their bytes are still in the files. It is written with their removal, and
 * removed when they are overwritten; no export has it.
 */
export const erasureKind: RecordKind<true> = {
  tag: TAG,
  name: 'erasure',
  isExported: false,
  limits: {},
  encode: () => Uint8Array.of(TAG),
  decode: () => true,
  validate: () => 'is an erasure, which belongs to the place where a memory is stored',
  subjects: () => [],
  references: () => [],
}
