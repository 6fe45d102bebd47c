import type { Belief } from '../../api/belief.js'
import type { Caller } from '../../api/caller.js'
import { checkKeys, checkList, checkNumber, checkText, checkWhole, invalid } from '../../api/check.js'
import type {
  BeliefCandidate,
  CandidateQuery,
  Concept,
  ConceptId,
  ConceptMerge,
  ConceptNeighbour,
  ConceptQuery,
  ConceptStatement,
  ConceptSummary,
} from '../../api/concept.js'
import type { Triple } from '../../api/episode.js'
import { FIELD_LIMITS } from '../../api/field-limits.js'
import type { Goal } from '../../api/goal.js'
import type { LearningEvent } from '../../api/learning.js'
import { toIso } from '../../api/time.js'
import { AgidbError } from '../../base/errors.js'
import { turn } from '../../base/event-loop-turn.js'
import { tokens } from '../../encoding/tokens.js'
import { identityOf, isCommon } from '../../extraction/concepts/identity.js'
import type { Evidenced } from '../../indexes/concepts/concept-names.js'
import type { NewEvent } from '../../records/event-log.js'
import type { MemoryContext } from '../context.js'
import type { Draft } from '../draft.js'
import { candidatesOf } from './candidates.js'
import type { DecisionEvent } from './decisions.js'
import type { ConflictQuery, Replacement } from '../conflicts.js'
import { replacementsOf } from './replacements.js'
import { conceptIdOf, mergesOf, toMerge } from './merges.js'
import { type Statement, Statements, toConceptStatement } from './statements.js'

/** Results of one call, by default. */
const DEFAULT_LIMIT = 100
const MOST_LISTED = 10_000
const MOST_CANDIDATES = 1_000
/** Episodes that are answered, and those from which statements are read, at most. */
const MOST_EPISODES = 1_000
const MOST_READ = 10_000
/** Episodes that are read at once. */
const ROWS_PER_READ = 256

/** What concepts read of the other floors. */
export interface Others {
  /** The beliefs that name one of some names. */
  readonly beliefsOf: (names: readonly string[]) => Promise<Belief[]>
  /** The statements of all beliefs. */
  readonly believed: () => readonly Triple[]
  readonly trustOf: (source: string | undefined) => number
  readonly goals: () => Promise<Goal[]>
}

type Keys = ReadonlySet<string>

/** How names are shown. */
interface Spelling {
  /** The keys of nicknames. */
  readonly short: ReadonlySet<string>
  /** Names as callers wrote them, by their keys. */
  readonly written: ReadonlyMap<string, string>
}

/** What answers the methods of concepts. Loaded when the first is asked for. */
export class ConceptQueries {
  readonly #context: MemoryContext
  readonly #others: Others
  readonly #decided: () => readonly DecisionEvent[]
  readonly #spellings = new WeakMap<readonly Evidenced[], Spelling>()

  /** @param decided what callers decided, in order. */
  constructor(context: MemoryContext, others: Others, decided: () => readonly DecisionEvent[]) {
    this.#context = context
    this.#others = others
    this.#decided = decided
  }

  /** Why names are of one concept, as far as episodes say so: events that are read from these. */
  merges(): LearningEvent<'conceptsMerged'>[] {
    return mergesOf(this.#context.indexes)
  }

  async list(query?: ConceptQuery): Promise<ConceptSummary[]> {
    const { limits, indexes } = this.#context
    checkKeys('concepts', query, ['type', 'cue', 'limit'])
    const { type, cue, limit = DEFAULT_LIMIT } = query ?? {}
    if (type !== undefined) checkText('type', type, limits, 'nameBytes')
    if (cue !== undefined) checkText('cue', cue, limits, 'cueBytes')
    checkWhole('limit', limit, 1, MOST_LISTED)
    const { conceptNames } = indexes
    const asked = cue === undefined ? undefined : this.#asked(cue)
    const found: { readonly keys: Keys; readonly slots: readonly number[] }[] = []
    for (const keys of conceptNames.all()) {
      if (asked !== undefined && !asked(keys)) continue
      if (type !== undefined && conceptNames.typeOf(keys) !== type) continue
      const slots = conceptNames.slots(keys)
      if (slots.length > 0) found.push({ keys, slots })
    }
    const summaries = found
      .sort((a, b) => b.slots.length - a.slots.length || rootOf(a.keys, b.keys))
      .slice(0, limit)
      .map(({ keys, slots }) => this.#summary(keys, slots))
    return summaries
  }

  async get(nameOrId: string): Promise<Concept | undefined> {
    checkText('nameOrId', nameOrId, this.#context.limits, 'nameBytes')
    const keys = this.#find(nameOrId)
    const known = keys === undefined ? [] : this.#context.indexes.conceptNames.slots(keys)
    if (keys === undefined || known.length === 0) return undefined
    const { indexes } = this.#context
    const { conceptNames, catalog } = indexes
    const root = conceptNames.rootOf([...keys][0])
    const now = this.#context.clock()
    const statements = await this.#statements(known.slice(-MOST_READ), now, (subject, object) => {
      return subject === root || object === root
    })
    // Some may have been forgotten while others were read.
    const slots = known.filter((slot) => catalog.has(slot))
    if (slots.length === 0) return undefined
    const { episodes: episodeCount, ...summary } = this.#summary(keys, slots)
    const current = statements.filter(({ end }) => end === undefined)
    const newest = (some: readonly Statement[]): ConceptStatement[] => some.map(toConceptStatement).reverse()
    const names = [summary.name, ...summary.aliases]
    return {
      ...summary,
      statements: newest(current),
      past: newest(statements.filter(({ end }) => end !== undefined)),
      beliefs: await this.#others.beliefsOf(names),
      goals: (await this.#others.goals()).filter(({ description, successCriteria }) =>
        this.#mentions(`${description}\n${successCriteria.join('\n')}`, root),
      ),
      episodes: slots
        .slice(-MOST_EPISODES)
        .reverse()
        .flatMap((slot) => catalog.id(slot) ?? []),
      episodeCount,
      neighbours: this.#neighbours(current, root),
      merges: this.#mergesOf(keys),
    }
  }

  async alias(name: string, other: string, caller: Caller): Promise<ConceptId> {
    const { limits, indexes } = this.#context
    checkText('name', name, limits, 'nameBytes')
    checkText('other', other, limits, 'nameBytes')
    return this.#context.learn(caller, (): Draft<ConceptId> => {
      const { conceptNames } = indexes
      const isOne = conceptNames.rootOf(name) === conceptNames.rootOf(other)
      const id = this.#idOf(new Set([...conceptNames.keysOf(name), ...conceptNames.keysOf(other)]))
      const event: NewEvent<'conceptsMerged'> = {
        kind: 'conceptsMerged',
        concept: id,
        names: [this.#written(name), this.#written(other)],
        reason: 'caller',
        evidence: [],
      }
      return { events: isOne ? [] : [event], answer: id, result: () => id }
    })
  }

  async split(nameOrId: string, names: readonly string[], caller: Caller): Promise<ConceptId> {
    const { limits, indexes } = this.#context
    checkText('nameOrId', nameOrId, limits, 'nameBytes')
    checkList('names', names, limits, FIELD_LIMITS.concept.names)
    for (const [i, name] of names.entries()) checkText(`names[${i}]`, name, limits, 'nameBytes')
    if (names.length === 0)
      throw invalid('names is empty; expected the names that are to be taken out', { what: 'names' })
    return this.#context.learn(caller, (): Draft<ConceptId> => {
      const { conceptNames } = indexes
      const keys = this.#find(nameOrId)
      if (keys === undefined || conceptNames.slots(keys).length === 0)
        throw new AgidbError('AGIDB_NOT_FOUND', `no episode names the concept ${JSON.stringify(nameOrId)}`, {
          nameOrId,
        })
      const taken = new Set(names.map((name) => conceptNames.keyOf(name)))
      const stranger = names.find((name) => !keys.has(conceptNames.keyOf(name)))
      if (stranger !== undefined) {
        const known = conceptNames.spellings(keys).join(', ')
        throw invalid(`${JSON.stringify(stranger)} is no name of the concept; expected some of ${known}`, {
          what: 'names',
        })
      }
      const from = [...keys].filter((key) => !taken.has(key))
      if (from.length === 0)
        throw invalid('names has all names of the concept; expected one or more, but not all', { what: 'names' })
      const id = this.#idOf(taken)
      const event: NewEvent<'conceptsSplit'> = {
        kind: 'conceptsSplit',
        concept: id,
        names: [...new Set(names.map((name) => this.#written(name)))],
        from,
      }
      return { events: [event], answer: id, result: () => id }
    })
  }

  async candidates(query?: CandidateQuery): Promise<BeliefCandidate[]> {
    const { limits, indexes } = this.#context
    checkKeys('beliefCandidates', query, ['about', 'minSupport', 'minConfidence', 'limit'])
    const { about, minSupport = 2, minConfidence = 0.8, limit = DEFAULT_LIMIT } = query ?? {}
    if (about !== undefined) checkText('about', about, limits, 'nameBytes')
    checkWhole('minSupport', minSupport, 1, MOST_CANDIDATES)
    checkNumber('minConfidence', minConfidence, 0, 1)
    checkWhole('limit', limit, 1, MOST_CANDIDATES)
    const keys = about === undefined ? undefined : this.#find(about)
    if (about !== undefined && keys === undefined) return []
    const root = keys === undefined ? undefined : indexes.conceptNames.rootOf([...keys][0])
    const slots = keys === undefined ? [...indexes.catalog.slots()] : indexes.conceptNames.slots(keys)
    const stating = slots.filter((slot) => indexes.structured.has(slot))
    const statements = await this.#statements(stating.slice(-MOST_READ), this.#context.clock(), (subject, object) => {
      return root === undefined || subject === root || object === root
    })
    const support = { minSupport, minConfidence, trustOf: this.#others.trustOf }
    return candidatesOf(indexes, statements, this.#others.believed(), support).slice(0, limit)
  }

  /** Statements of a one-at-a-time relation that a newer one replaces, at a valid time; the newest first. */
  async replacements({ about, at, limit }: ConflictQuery): Promise<Replacement[]> {
    const { conceptNames, predicates, ontology } = this.#context.indexes
    const slots = new Set<number>()
    for (const predicate of predicates.all())
      if (ontology.hasOneAtATime(predicate)) for (const slot of predicates.slots(predicate)) slots.add(slot)
    const roots = about && new Set(about.map((name) => conceptNames.rootOf(name)))
    const sorted = [...slots].sort((a, b) => a - b)
    const statements = await this.#statements(sorted.slice(-MOST_READ), at, () => true)
    return replacementsOf(statements, this.#others.trustOf, roots).slice(0, limit)
  }

  /** The statements of some episodes, in the order of time. Other calls have their turn between reads. */
  async #statements(
    slots: readonly number[],
    now: number,
    passes: (subject: string, object: string) => boolean,
  ): Promise<Statement[]> {
    const statements = new Statements(this.#context.indexes, now)
    for (let i = 0; i < slots.length; i += ROWS_PER_READ) {
      const some = slots.slice(i, i + ROWS_PER_READ)
      const episodes = await this.#context.fetch(some)
      episodes.forEach((episode, at) => episode !== undefined && statements.add(some[at], episode, passes))
      await turn()
    }
    return statements.all()
  }

  /** The keys of the concept with a name or an id. */
  #find(nameOrId: string): Keys | undefined {
    const { conceptNames } = this.#context.indexes
    const keys = conceptNames.keysOf(nameOrId)
    if (conceptNames.spellings(keys).length > 0) return keys
    if (!/^co_[0-9A-Z]{26}$/.test(nameOrId)) return undefined
    for (const found of conceptNames.all()) for (const key of found) if (conceptIdOf(key) === nameOrId) return found
    return undefined
  }

  #summary(keys: Keys, slots: readonly number[]): ConceptSummary {
    const { conceptNames, catalog } = this.#context.indexes
    const name = this.#nameOf(keys)
    const type = conceptNames.typeOf(keys)
    const lastSeen = slots.reduce((last, slot) => Math.max(last, catalog.validFrom(slot)), -Infinity)
    return {
      id: conceptIdOf(conceptNames.keyOf(name)),
      name,
      ...(type !== undefined && { type }),
      aliases: this.#allNames(keys).filter((other) => other !== name),
      episodes: slots.length,
      lastSeen: toIso(lastSeen),
    }
  }

  #idOf(keys: Keys): ConceptId {
    return conceptIdOf(this.#context.indexes.conceptNames.keyOf(this.#nameOf(keys)))
  }

  /** The name that most episodes have, of those that are no nicknames; the longer one of two. */
  #nameOf(keys: Keys): string {
    const { conceptNames } = this.#context.indexes
    const { short } = this.#spelling
    const all = this.#allNames(keys)
    const full = all.filter((name) => !short.has(identityOf(name)))
    const uses = (name: string) => conceptNames.names.count(name)
    const [best] = (full.length > 0 ? full : all).sort(
      (a, b) => uses(b) - uses(a) || byLength(a, b) || (a < b ? -1 : 1),
    )
    return best
  }

  /** All names of a concept as they are written; of one that no episode uses its key. */
  #allNames(keys: Keys): string[] {
    const { conceptNames } = this.#context.indexes
    const unused = [...keys]
      .filter((key) => conceptNames.spellings([key]).length === 0)
      .map((key) => this.#spelling.written.get(key) ?? key)
    return [...new Set([...conceptNames.spellings(keys), ...unused])].sort()
  }

  /** How names are shown: worked out once for as long as names are of one concept for the same reasons. */
  get #spelling(): Spelling {
    const evidence = this.#context.indexes.conceptNames.evidence()
    let spelling = this.#spellings.get(evidence)
    if (spelling === undefined) {
      const nicknames = evidence.filter(({ reason }) => reason === 'nickname')
      const written = new Map<string, string>()
      for (const name of this.#decided().flatMap(({ names }) => names))
        if (!written.has(identityOf(name))) written.set(identityOf(name), name)
      spelling = { short: new Set(nicknames.map(({ names }) => identityOf(names[0]))), written }
      this.#spellings.set(evidence, spelling)
    }
    return spelling
  }

  /** A name as it is stored with a decision: a plural as the singular with which it is one. */
  #written(name: string): string {
    const key = this.#context.indexes.conceptNames.keyOf(name)
    return key === identityOf(name) ? name.trim() : key
  }

  /** Whether a cue asks for a concept: it names it, or begins a word of one of its names. */
  #asked(cue: string): (keys: Keys) => boolean {
    const { conceptNames } = this.#context.indexes
    const named = new Set(conceptNames.mentioned(cue).flatMap((keys) => [...keys]))
    const words = tokens(cue).join(' ')
    return (keys) =>
      [...keys].some((key) => named.has(key)) ||
      (words !== '' && conceptNames.spellings(keys).some((name) => ` ${tokens(name).join(' ')}`.includes(` ${words}`)))
  }

  #mentions(text: string, root: string): boolean {
    const { conceptNames } = this.#context.indexes
    return conceptNames.mentioned(text).some((keys) => conceptNames.rootOf([...keys][0]) === root)
  }

  #neighbours(statements: readonly Statement[], root: string): ConceptNeighbour[] {
    const { conceptNames } = this.#context.indexes
    const found = new Map<string, { statements: number; readonly predicates: Set<string> }>()
    for (const { meant, said } of statements) {
      const other = meant.subject === root ? meant.object : meant.subject
      if (other === root) continue
      const neighbour = found.get(other) ?? { statements: 0, predicates: new Set<string>() }
      found.set(other, neighbour)
      neighbour.statements++
      neighbour.predicates.add(said[said.length - 1].triple.predicate)
    }
    return [...found]
      .sort(([a, m], [b, n]) => n.statements - m.statements || (a < b ? -1 : 1))
      .map(([key, { statements, predicates }]): ConceptNeighbour => {
        const keys = conceptNames.keysOf(key)
        const [name, type] = [this.#nameOf(keys), conceptNames.typeOf(keys)]
        const id = conceptIdOf(conceptNames.keyOf(name))
        return { id, name, ...(type !== undefined && { type }), statements, predicates: [...predicates].sort() }
      })
  }

  #mergesOf(keys: Keys): ConceptMerge[] {
    const { indexes } = this.#context
    const { conceptNames } = indexes
    const stated = conceptNames.evidence().filter(({ names: [name] }) => keys.has(conceptNames.keyOf(name)))
    const decided = this.#decided().flatMap((event): ConceptMerge[] => {
      if (event.kind !== 'conceptsMerged' || !event.names.every((name) => keys.has(conceptNames.keyOf(name)))) return []
      return [{ names: event.names, reason: event.reason, evidence: [] }]
    })
    return [...stated.map((evidenced) => toMerge(indexes, evidenced)), ...decided]
  }
}

function rootOf(a: Keys, b: Keys): number {
  const [one, other] = [a, b].map((keys) => [...keys].sort()[0])
  return one < other ? -1 : 1
}

/** Of proper names the longer one comes first, of common nouns the shorter one. */
function byLength(a: string, b: string): number {
  const isNoun = isCommon(a) && isCommon(b)
  return isNoun ? a.length - b.length : b.length - a.length
}
