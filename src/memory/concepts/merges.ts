import { sha256 } from '@noble/hashes/sha2.js'
import type { ConceptId, ConceptMerge } from '../../api/concept.js'
import type { LearningEvent } from '../../api/learning.js'
import { FIELD_LIMITS } from '../../api/field-limits.js'
import { toIso } from '../../api/time.js'
import { idOf } from '../../base/ids.js'
import { encodeUtf8 } from '../../base/utf8.js'
import type { Evidenced } from '../../indexes/concepts/concept-names.js'
import type { Indexes } from '../../indexes/indexes.js'

/** The id of the concept that has a name with this key. */
export function conceptIdOf(key: string): ConceptId {
  return idOf('co_', sha256(encodeUtf8(`agidb/concept/${key}`)))
}

/** Why names are of one concept, as it is answered. */
export function toMerge({ catalog }: Pick<Indexes, 'catalog'>, { names, reason, slots }: Evidenced): ConceptMerge {
  const evidence = slots.slice(0, FIELD_LIMITS.concept.evidence.items).map((slot) => catalog.id(slot)!)
  return { names, reason, evidence }
}

/** That names are of one concept as episodes say: events that are read from these episodes. */
export function mergesOf(indexes: Pick<Indexes, 'catalog' | 'conceptNames'>): LearningEvent<'conceptsMerged'>[] {
  const { catalog, conceptNames } = indexes
  return conceptNames.evidence().flatMap((evidenced): LearningEvent<'conceptsMerged'>[] => {
    const { names, reason } = evidenced
    const slots = reason === 'nickname' ? nicknameSlots(indexes, evidenced) : evidenced.slots
    if (slots.length === 0) return []
    // What one episode states is known with it, and a nickname once both names are there.
    const known = reason === 'nickname' ? slots[slots.length - 1] : slots[0]
    return [
      {
        id: idOf('cm_', sha256(encodeUtf8(`agidb/merge/${JSON.stringify([names, reason])}`))),
        kind: 'conceptsMerged',
        at: toIso(catalog.recordedAt(known)),
        concept: conceptIdOf(conceptNames.rootOf(names[0])),
        ...toMerge(indexes, { names, reason, slots }),
      },
    ]
  })
}

/** The first episodes that name both names, or that they said where no episode names them. */
function nicknameSlots(
  { catalog, conceptNames }: Pick<Indexes, 'catalog' | 'conceptNames'>,
  evidenced: Evidenced,
): number[] {
  const spoken = evidenced.names.filter((name) => conceptNames.names.count(name) === 0)
  const slots = new Set(evidenced.slots)
  for (const name of spoken)
    for (const slot of catalog.slots())
      if (catalog.speaker(slot) === name) {
        slots.add(slot)
        break
      }
  return [...slots].sort((a, b) => a - b)
}
