import { decodeTagged, encodeTagged, type RecordKind } from '../record-kind.js'

const TAG = 5

/**
 * The random key under which the targets of unlearnings are hashed, 64 hexadecimal digits. No export has it, so an
 * export cannot be used to confirm what was forgotten.
 */
export const auditKeyKind: RecordKind<string> = {
  tag: TAG,
  name: 'audit key',
  isExported: false,
  limits: {},
  encode: (key) => encodeTagged(TAG, { key }),
  decode: (row) => (decodeTagged(row, 'audit key') as { readonly key: string }).key,
  validate: () => 'is an audit key, which belongs to the place where a memory is stored',
  subjects: () => [],
  references: () => [],
}
