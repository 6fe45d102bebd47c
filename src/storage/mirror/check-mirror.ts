import type { Tables } from './indexeddb.js'
import type { Journal } from '../journal/journal.js'
import { ownCopy } from './own-copy.js'
import type { VerifyVisitor, SignatureKind, StoredEpisode } from '../../api/storage.js'
import { sameBytes } from '../../base/same-bytes.js'

/** Episodes that are compared at a time. */
const PAGE = 256

/** Compares the tables with the journal that they should be equal to, and changes nothing. */
export async function checkMirror(
  tables: Tables,
  journal: Journal,
  findings: VerifyVisitor['findings'],
): Promise<void> {
  const state = await tables.state()
  // Nothing was committed yet, so there is nothing to be copied.
  if (state === undefined && journal.end.lsn === journal.start.lsn) return
  if (state?.databaseId !== journal.header.databaseId || state.quarantined) {
    findings.add('mirror-missing', 'mendable', `IndexedDB has no copy of this memory under ${tables.name}`, {
      indexedDb: tables.name,
      databaseId: state?.databaseId,
    })
    return
  }
  const differs = (slot: number, what: string, count = 1): void =>
    findings.add('mirror-differs', 'mendable', `IndexedDB has ${what} slot ${slot} than the journal`, { slot }, count)
  if (state.nextSlot < journal.nextSlot || state.appliedLsn !== journal.end.lsn)
    differs(state.nextSlot, 'come to another', 1)
  let next = 0
  for (let after = -1; ; ) {
    const page = await tables.episodes(after, PAGE)
    const end = page.length === 0 ? journal.nextSlot : page[page.length - 1].slot + 1
    const live = new Map<number, StoredEpisode>()
    const slots = journal.liveSlots(next, end)
    await journal.visit((episode) => live.set(episode.slot, ownCopy(episode)), slots)
    for (const copy of page) {
      const original = live.get(copy.slot)
      findings.checked.mirrored++
      if (original === undefined) differs(copy.slot, 'something in')
      else if (!isEqual(original, copy)) differs(copy.slot, 'other bytes for')
      live.delete(copy.slot)
    }
    for (const slot of live.keys()) differs(slot, 'nothing in')
    if (page.length === 0) return
    after = end - 1
    next = end
  }
}

function isEqual(a: StoredEpisode, b: StoredEpisode): boolean {
  const kinds = new Set([...Object.keys(a.signatures), ...Object.keys(b.signatures)]) as Set<SignatureKind>
  return (
    a.id === b.id &&
    sameBytes(a.row, b.row) &&
    [...kinds].every((kind) => sameBytes(a.signatures[kind], b.signatures[kind]))
  )
}
