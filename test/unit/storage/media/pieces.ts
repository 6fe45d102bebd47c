import type { OpenedStorage, StorageAdapter, StorageChange, StoredEpisode } from '../../../../src/api/storage.js'
import { mediaKind } from '../../../../src/records/kinds/media.js'
import { noise } from '../../../../src/storage/contract/episodes.js'

/** The row of a piece of a sound with some bytes. */
export function pieceRow(slot: number, bytes: Uint8Array): Uint8Array {
  const about = { id: `md_${slot}`, sense: 'audio', type: 'audio/wav', offset: 1, piece: 0, unit: 's1' } as const
  return mediaKind.encode({ ...about, size: bytes.length, bytes })
}

/** A commit with one piece in a slot. */
export function putPiece(slot: number, seed = slot, length = 500): StorageChange & { op: 'put' } {
  return { op: 'put', slot, id: `md_${slot}`, row: pieceRow(slot, noise(seed, length)), signatures: {} }
}

/** A storage all of whose rows are stored as pieces of a medium by another one. What is visited at opening is not. */
export function asPieces(adapter: StorageAdapter): StorageAdapter {
  const inPieces = <T extends StorageChange | StoredEpisode>(one: T): T =>
    'row' in one ? { ...one, row: pieceRow(one.slot, one.row) } : one
  const rowOf = (row: Uint8Array): Uint8Array => mediaKind.decode(row).bytes
  return {
    async open(...args) {
      const { rows, ...opened }: OpenedStorage = await adapter.open(...args)
      return {
        ...opened,
        rows: {
          slots: () => rows.slots(),
          commit: (changes) => rows.commit(changes.map(inPieces)),
          get: async (slots) => (await rows.get(slots)).map((row) => row && rowOf(row)),
          read: async (slots) => (await rows.read(slots)).map((one) => ({ ...one, row: rowOf(one.row) })),
          replace: (fill) => rows.replace((add) => fill((episodes) => add(episodes.map(inPieces)))),
        },
      }
    },
  }
}
