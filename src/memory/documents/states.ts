import type { AccessProfile, EntryId, EntryRelation, EntryVisibility } from '../../api/entry.js'
import type { Documents } from '../../indexes/documents.js'

/** What is known of an entry beside its content: as it was stored, and as was said since. */
export interface EntryState {
  readonly visibility: EntryVisibility
  /** ISO 8601, UTC. */
  readonly expiresAt?: string
  readonly perspectives: readonly string[]
  readonly relations: readonly EntryRelation[]
  readonly access: AccessProfile
}

const NEVER_ACCESSED: AccessProfile = { hour: 0, day: 0, week: 0, month: 0, year: 0, total: 0 }

/** The states of entries. */
export class EntryStates {
  readonly #documents: Documents

  constructor(documents: Documents) {
    this.#documents = documents
  }

  /** The state of the entry of a slot. */
  of(_id: EntryId, slot: number): EntryState {
    const { perspectives = [], relations = [] } = this.#documents.facet(slot) ?? {}
    return { ...this.#documents.shown(slot), perspectives, relations, access: NEVER_ACCESSED }
  }
}
