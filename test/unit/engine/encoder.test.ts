import { OpenedStore } from '../../../src/storage/contract/opened-store.js'
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { StorageAdapter, StorageChange } from '../../../src/api/storage.js'
import { openEngine } from '../../../src/engine/whole.js'
import { ENCODER_VERSION } from '../../../src/encoding/encoder.js'
import { Indexes } from '../../../src/indexes/indexes.js'
import { decodeEpisode } from '../../../src/records/kinds/episode.js'
import { nodeStorage } from '../../../src/storage/adapters/node/node.js'
import { kernel } from '../encoding/kernel.js'
import { NOW, withFolder } from './open.js'

const clock = () => NOW
const ITEMS = [
  { id: 'a', text: 'The cryo tanks were stirred at 55 hours.', speaker: 'Swigert' },
  {
    id: 'b',
    text: 'Nobody expected the oxygen to go down.',
    triples: [{ subject: 'oxygen', predicate: 'falls below', object: 'limit' }],
  },
  { id: 'c', text: 'The bag is taped around the canister.' },
]
const QUESTIONS = ['cryo tank', 'what falls below the limit?', 'taping a bag']

/** The answers of what a storage holds, and what opening it reported. */
async function answers(storage: StorageAdapter) {
  const db = await openEngine({ storage, kernel, clock, seed: 1 })
  const matches = []
  for (const cue of QUESTIONS) matches.push((await db.recall(cue)).matches)
  const { opening } = await db.stats()
  await db.close()
  return { matches, opening: opening.map(({ kind, details }) => [kind, details]) }
}

/**
 * A copy of a database as an earlier version left it: its signatures are all the same, and of this version of the
 * encoder.
 */
async function older(from: string, to: string, encoder: number | undefined): Promise<void> {
  const changes: StorageChange[] = []
  const old = new OpenedStore(nodeStorage(from))
  await old.open(({ slot, id, row, signatures: { text, structured } }) => {
    const signatures = {
      text: text!.slice().fill(0xaa),
      ...(structured && { structured: structured.slice().fill(0x55) }),
    }
    changes.push({ op: 'put', slot, id, row: row.slice(), signatures, encoder })
  })
  await old.close()
  const copy = new OpenedStore(nodeStorage(to))
  await copy.open(() => undefined)
  await copy.commit(changes)
  await copy.close()
}

test('signatures of another version of the encoder are made again when the database is opened', async () => {
  await withFolder(async (path) => {
    const db = await openEngine({ storage: nodeStorage(path), kernel, clock, seed: 1 })
    await db.observeMany(ITEMS)
    await db.close()
    const fresh = await answers(nodeStorage(path))
    expect(fresh.opening).toEqual([])

    for (const encoder of [undefined, ENCODER_VERSION + 1]) {
      const copy = `${path}-${encoder}`
      await older(path, copy, encoder)
      for (let round = 0; round < 2; round++) {
        const { matches, opening } = await answers(nodeStorage(copy))
        expect(matches).toEqual(fresh.matches)
        expect(opening).toEqual([['re-encoded', { episodes: ITEMS.length }]])
      }
    }

    // Those of this version are taken as they are.
    await older(path, `${path}-same`, ENCODER_VERSION)
    const { matches, opening } = await answers(nodeStorage(`${path}-same`))
    expect(opening).toEqual([])
    expect(matches).not.toEqual(fresh.matches)
  })
})

test('the digest of the encoder is that of ENCODER_VERSION, so a change must raise the version', async () => {
  const digest = createHash('sha256')
  await withFolder(async (path) => {
    const db = await openEngine({ storage: nodeStorage(path), kernel, clock, seed: 1 })
    await db.observeMany(ITEMS)
    await db.close()
    const indexes = new Indexes(kernel)
    const storage = new OpenedStore(nodeStorage(path))
    await storage.open(({ row }) => {
      const { signatures } = indexes.encode(decodeEpisode(row))
      digest.update(signatures.text!).update(signatures.structured ?? '')
    })
    await storage.close()
    indexes.free()
  })
  expect([ENCODER_VERSION, digest.digest('hex').slice(0, 16)]).toEqual([1, '9806dc3ab4222f02'])
})
