import type { AccessProfile, AgingConfig, Salience } from '../../api/entry.js'
import type { EntryId, EntryRelation, EntryVisibility } from '../../api/entry-facet.js'
import type { Perspective } from '../../api/identity.js'
import type { LearningEvent } from '../../api/learning.js'
import { HEAP } from '../../base/heap-size.js'
import type { Indexes } from '../../indexes/indexes.js'
import type { Shown } from '../../indexes/documents.js'
import type { Logged } from '../../records/event-log.js'
import { type Accesses, accessed, NO_ACCESSES, profileOf, relevancy, rolled } from './access-profile.js'
import { BUILT_IN } from './perspectives.js'
import { salienceOf } from './salience.js'

/** What is known of an entry beside its content: as it was stored, and as was said since. */
export interface EntryState {
  readonly visibility: EntryVisibility
  /** ISO 8601, UTC. */
  readonly expiresAt?: string
  readonly perspectives: readonly string[]
  readonly relations: readonly EntryRelation[]
  readonly access: AccessProfile
}

/** What was learned of one entry. */
interface Known {
  /** The slot of the first event: an entry that came after it under the same id is another. */
  readonly from: number
  shown?: Shown
  perspectives?: readonly string[]
  /** By kind and target: the slot of the last event about it, and whether there is a link since. */
  readonly links: Map<string, { readonly slot: number; readonly relation: EntryRelation; readonly isThere: boolean }>
  accesses: Accesses
}

/** How entries age unless a caller says otherwise, as in VecLayer. */
export const DEFAULT_AGING: AgingConfig = {
  degradeAfterDays: 30,
  degradeFrom: ['normal'],
  degradeTo: 'deep_only',
  salienceProtection: 0.15,
}

/** The states of entries, the perspectives and how entries age: what the log says of them. */
export class EntryStates {
  readonly #indexes: Indexes
  readonly #log: () => readonly Logged[]
  readonly #known = new Map<EntryId, Known>()
  /** Hints of the caller's own perspectives. */
  readonly #perspectives = new Map<string, string>()
  #aging: AgingConfig = DEFAULT_AGING
  /** What was stored of each document last. */
  readonly #documents = new Map<string, { readonly hash: string; readonly root: EntryId; readonly slot: number }>()

  constructor(indexes: Indexes, log: () => readonly Logged[]) {
    this.#indexes = indexes
    this.#log = log
    indexes.documents.follow((id, slot) => this.#of(id, slot)?.shown)
  }

  /** Bytes of memory, about. */
  get bytes(): number {
    return this.#known.size * (HEAP.entry + HEAP.name + HEAP.map + 3 * HEAP.object)
  }

  get aging(): AgingConfig {
    return this.#aging
  }

  /** All perspectives, the built-in ones first. */
  perspectives(): Perspective[] {
    const own = Array.from(this.#perspectives, ([id, hint]) => ({ id, hint, isBuiltIn: false }))
    return [...BUILT_IN, ...own.sort((a, b) => (a.id < b.id ? -1 : 1))]
  }

  /** The hash of a document as it was stored last, and its first entry; `undefined` where it is not there. */
  storedOf(source: string): { readonly hash: string; readonly root: EntryId } | undefined {
    const { catalog } = this.#indexes
    const stored = this.#documents.get(source)
    const root = stored === undefined ? undefined : catalog.slot(stored.root)
    return root === undefined || root > stored!.slot ? undefined : stored
  }

  /** The state of the entry of a slot. */
  of(id: EntryId, slot: number, now: number): EntryState {
    const { documents } = this.#indexes
    const known = this.#of(id, slot)
    return {
      ...documents.shown(slot),
      perspectives: this.perspectivesOf(id, slot),
      relations: this.relationsOf(id, slot),
      access: profileOf(rolled(known?.accesses ?? NO_ACCESSES, now)),
    }
  }

  perspectivesOf(id: EntryId, slot: number): readonly string[] {
    return this.#of(id, slot)?.perspectives ?? this.#indexes.documents.facet(slot)?.perspectives ?? []
  }

  /** The accesses to an entry as of a time. */
  accessesOf(id: EntryId, slot: number, now: number): Accesses {
    return rolled(this.#of(id, slot)?.accesses ?? NO_ACCESSES, now)
  }

  /**
   * The relations of an entry: those that callers gave it, what superseded it, and its summaries. A target that was
   * superseded stands for what is there in its place.
   */
  relationsOf(id: EntryId, slot: number): EntryRelation[] {
    const { catalog, documents } = this.#indexes
    const found: EntryRelation[] = []
    const by = catalog.successor(slot)
    if (by !== undefined && catalog.slot(by) !== undefined) found.push({ kind: 'superseded_by', target: by })
    for (const summary of documents.summaries(id))
      if (catalog.has(summary)) found.push({ kind: 'summarized_by', target: catalog.id(summary)! })
    for (const link of this.#of(id, slot)?.links.values() ?? []) {
      const target = catalog.slot(link.relation.target)
      if (!link.isThere || target === undefined || target > link.slot) continue
      const now = this.#currentOf(link.relation.target, target)
      if (!found.some((one) => one.kind === link.relation.kind && one.target === now))
        found.push({ kind: link.relation.kind, target: now })
    }
    return found
  }

  /** Whether a caller linked an entry to another by a relation. */
  isLinked(id: EntryId, slot: number, { kind, target }: EntryRelation): boolean {
    return this.#of(id, slot)?.links.get(keyOf(kind, target))?.isThere === true
  }

  /** How significant an entry is. */
  salienceOf(id: EntryId, slot: number, now: number): Salience {
    const used = relevancy(this.accessesOf(id, slot, now))
    return salienceOf(used, this.perspectivesOf(id, slot).length, this.relationsOf(id, slot).length)
  }

  /** Takes an event in: see `Projection`. */
  apply(event: LearningEvent, slot: number): void {
    switch (event.kind) {
      case 'perspectiveDefined':
        this.#perspectives.set(event.perspective, event.hint)
        return
      case 'perspectiveRemoved':
        this.#perspectives.delete(event.perspective)
        return
      case 'documentIngested':
        this.#documents.set(event.source, { hash: event.hash, root: event.root, slot })
        return
      case 'agingConfigured': {
        const { degradeAfterDays, degradeFrom, degradeTo, salienceProtection } = event
        this.#aging = { degradeAfterDays, degradeFrom, degradeTo, salienceProtection }
        return
      }
      default:
        this.#learn(this.#known, event, slot)
    }
  }

  /** Takes events out, which the log has lost. */
  retract(events: readonly LearningEvent[]): void {
    const ids = new Set(events.flatMap(entriesIn))
    if (ids.size > 0) {
      for (const id of ids) this.#known.delete(id)
      for (const { slot, event } of this.#log()) this.#learn(this.#known, event, slot, (id) => ids.has(id))
      for (const id of ids) this.#indexes.documents.refresh(id)
    }
    if (!events.some(({ kind }) => SETTINGS.has(kind))) return
    this.#perspectives.clear()
    this.#documents.clear()
    this.#aging = DEFAULT_AGING
    for (const { slot, event } of this.#log()) if (SETTINGS.has(event.kind)) this.apply(event, slot)
  }

  /** What was learned of the entry of a slot. */
  #of(id: EntryId, slot: number): Known | undefined {
    const known = this.#known.get(id)
    if (known === undefined || known.from > slot) return known
    // The entry was forgotten and came again; what is told of the one before tells nothing of it.
    const later = new Map<EntryId, Known>()
    for (const logged of this.#log())
      if (logged.slot > slot) this.#learn(later, logged.event, logged.slot, (one) => one === id, false)
    const since = later.get(id)
    if (since === undefined) this.#known.delete(id)
    else this.#known.set(id, since)
    return since
  }

  /** Learns what an event tells of its entries, or of some of them. */
  #learn(
    into: Map<EntryId, Known>,
    event: LearningEvent,
    slot: number,
    isAsked: (id: EntryId) => boolean = () => true,
    tells = true,
  ): void {
    const ids = entriesIn(event)
    const asked = ids.map((id) => (isAsked(id) ? knownIn(into, id, slot) : undefined))
    switch (event.kind) {
      case 'entriesChanged': {
        const { visibility, expiresAt, perspectives } = event
        for (const [i, known] of asked.entries()) {
          if (known === undefined) continue
          if (visibility !== undefined) known.shown = { visibility, ...(expiresAt !== undefined && { expiresAt }) }
          if (perspectives !== undefined) known.perspectives = perspectives
          if (tells) this.#indexes.documents.refresh(ids[i])
        }
        return
      }
      case 'entryLinked':
      case 'entryUnlinked': {
        const relation = { kind: event.relation, target: event.target }
        const link = { slot, relation, isThere: event.kind === 'entryLinked' }
        asked[0]?.links.set(keyOf(relation.kind, relation.target), link)
        return
      }
      case 'entriesAccessed': {
        const since = Date.parse(event.since)
        for (const [elapsed, ...places] of event.accesses)
          for (const place of places) {
            const known = asked[place]
            if (known !== undefined) known.accesses = accessed(known.accesses, since + elapsed)
          }
      }
    }
  }

  /** What stands in the place of an entry now. */
  #currentOf(id: EntryId, slot: number): EntryId {
    const { catalog } = this.#indexes
    const seen = new Set<number>()
    for (let at = slot; !seen.has(at); ) {
      seen.add(at)
      const by = catalog.successor(at)
      const next = by === undefined ? undefined : catalog.slot(by)
      if (next === undefined) return catalog.id(at)!
      at = next
    }
    return id
  }
}

/** What was learned of an entry, from the event of a slot on where nothing was. */
function knownIn(all: Map<EntryId, Known>, id: EntryId, slot: number): Known {
  const known = all.get(id) ?? { from: slot, links: new Map(), accesses: NO_ACCESSES }
  all.set(id, known)
  return known
}

const SETTINGS: ReadonlySet<LearningEvent['kind']> = new Set<LearningEvent['kind']>([
  'documentIngested',
  'perspectiveDefined',
  'perspectiveRemoved',
  'agingConfigured',
])

/** The entries of which an event tells something. */
function entriesIn(event: LearningEvent): readonly EntryId[] {
  switch (event.kind) {
    case 'entriesChanged':
    case 'entriesAccessed':
      return event.entries
    case 'entryLinked':
    case 'entryUnlinked':
      return [event.entry]
    default:
      return []
  }
}

function keyOf(kind: string, target: EntryId): string {
  return `${kind}\n${target}`
}
