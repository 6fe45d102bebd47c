import { checkKeys, checkText, checkWhole } from '../api/check.js'
import type { Claimed, Conflict, ConflictOptions } from '../api/conflict.js'
import type { ConflictMethods } from '../api/methods/conflicts.js'
import { toIso, toMillis } from '../api/time.js'
import { relationOf } from '../encoding/relation.js'
import type { MemoryContext } from './context.js'
import type { Service } from './projection.js'

/** Conflicts that one call lists, at most. */
const MAX_LISTED = 10_000
/** Conflicts that one call lists, by default. */
const DEFAULT_LIMIT = 100

/** Of what and of when conflicts are looked for. */
export interface ConflictQuery {
  /** Keys of the concepts of which one side must speak. Absent: any. */
  readonly about: readonly string[] | undefined
  /** Valid time, epoch milliseconds. */
  readonly at: number
  readonly limit: number
}

/** A side of a conflict, with its predicate where it is a statement. */
export type Side = Claimed & { readonly predicate?: string }

/** A statement of episodes that a newer one replaces. */
export interface Replacement {
  readonly older: Side
  readonly newer: Side
  /** The episodes that state the older one. */
  readonly episodes: readonly string[]
}

/** What conflicts are read from. */
export interface ConflictSources {
  /** The keys of a concept and its other names at a time. */
  readonly names: (concept: string, at: number) => Promise<readonly string[]>
  readonly beliefs: (query: ConflictQuery) => Promise<readonly (readonly [Side, Side])[]>
  readonly atoms: (query: ConflictQuery) => readonly (readonly [Side, Side])[]
  readonly statements: (query: ConflictQuery) => Promise<readonly Replacement[]>
}

/** Tells what is held to be true at once and cannot be. */
export class Conflicts implements Service {
  readonly projections = []
  readonly #context: Pick<MemoryContext, 'limits' | 'clock'>
  readonly #sources: ConflictSources

  constructor(context: Pick<MemoryContext, 'limits' | 'clock'>, sources: ConflictSources) {
    this.#context = context
    this.#sources = sources
  }

  /** It writes nothing, so it needs no caller. */
  methods(): ConflictMethods {
    return { conflicts: (options) => this.find(options) }
  }

  /** @throws AgidbError as `ConflictMethods.conflicts` does. */
  async find(options: ConflictOptions = {}): Promise<Conflict[]> {
    checkKeys('conflicts', options, ['about', 'at', 'limit'])
    const { about, limit = DEFAULT_LIMIT } = options
    if (about !== undefined) checkText('about', about, this.#context.limits, 'cueBytes')
    checkWhole('limit', limit, 1, MAX_LISTED)
    const at = options.at === undefined ? this.#context.clock() : toMillis(options.at, 'at')
    const names = about === undefined ? undefined : await this.#sources.names(about, at)
    const query: ConflictQuery = { about: names, at, limit }
    const beliefs = (await this.#sources.beliefs(query)).map((pair) => conflict('belief', pair))
    if (beliefs.length >= limit) return beliefs
    const atoms = this.#sources.atoms({ ...query, limit: limit - beliefs.length })
    const found = [...beliefs, ...atoms.map((pair) => conflict('atom', pair))]
    if (found.length >= limit) return found
    const statements = await this.#sources.statements({ ...query, limit: limit - found.length })
    return [
      ...found,
      ...statements.map(({ older, newer, episodes }): Conflict => {
        const proposal = { supersede: episodes, by: newer.id }
        return { ...conflict('statement', [older, newer]), why: 'exclusion', proposal }
      }),
    ]
  }
}

function conflict(kind: Conflict['kind'], pair: readonly [Side, Side]): Conflict {
  const [one, other] = pair[0].id < pair[1].id ? pair : [pair[1], pair[0]]
  const end = ({ validTo }: Claimed) => (validTo === undefined ? Infinity : Date.parse(validTo))
  const to = Math.min(end(one), end(other))
  return {
    kind,
    claims: [claimed(one), claimed(other)],
    from: toIso(Math.max(Date.parse(one.validFrom), Date.parse(other.validFrom))),
    ...(to < Infinity && { to: toIso(to) }),
    why: pair.every(isSaid) ? 'exclusion' : 'denial',
  }
}

/** Whether it says that something is so: two such sides cannot deny each other, so their objects exclude each other. */
function isSaid({ predicate }: Side): boolean {
  return predicate !== undefined && relationOf(predicate).holds === true
}

function claimed({ id, statement, confidence, validFrom, validTo }: Side): Claimed {
  return { id, statement, confidence, validFrom, ...(validTo !== undefined && { validTo }) }
}
