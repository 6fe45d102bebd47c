import { decodeTagged, encodeTagged, type RecordKind } from '../record-kind.js'

const TAG = 8

/**
 * What this device knows of the devices with which it exchanges changes: `src/transfer/sync/state.ts` says what stands
 * in it. It belongs to the device; no export has it, so a memory that was imported is another device.
 */
export const syncStateKind: RecordKind = {
  tag: TAG,
  name: 'state of the exchange with other devices',
  isExported: false,
  limits: {},
  encode: (state) => encodeTagged(TAG, state),
  decode: (row) => decodeTagged(row, 'state of the exchange with other devices'),
  validate: () => 'is the state of an exchange, which belongs to the place where a memory is stored',
  subjects: () => [],
  references: () => [],
}
