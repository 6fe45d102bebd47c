import type { AtomId } from '../../api/atom.js'
import type { EpisodeId, Triple } from '../../api/episode.js'
import type { NewEvent } from '../../records/event-log.js'
import { type AtomTable, endsKey } from './projection.js'
import type { Catalog } from '../../indexes/catalog.js'
import { liveOf, stands } from './support.js'

/** An atom to be. */
export interface NewAtom {
  readonly id: AtomId
  readonly statement: string
  readonly triple?: Triple
  readonly episodes: EpisodeId[]
  /** How many of them it takes. */
  readonly least: number
}

/** What the atoms are with what one batch of episodes adds to them, before that is durable. */
export class Batch {
  readonly #atoms: AtomTable
  readonly #catalog: Catalog
  readonly #formed = new Map<AtomId, NewAtom>()
  readonly #joined = new Map<AtomId, Set<EpisodeId>>()
  readonly #byEpisode = new Map<EpisodeId, AtomId[]>()

  constructor(atoms: AtomTable, catalog: Catalog) {
    this.#atoms = atoms
    this.#catalog = catalog
  }

  /** Whether there is such an atom, and an episode that says it. */
  stands(id: AtomId): boolean {
    if (this.#formed.has(id)) return true
    const atom = this.#atoms.get(id)
    return atom !== undefined && stands(this.#catalog, atom)
  }

  /** How many episodes that are there say an atom. */
  support(id: AtomId): number {
    const formed = this.#formed.get(id)
    if (formed !== undefined) return formed.episodes.length
    const before = this.#atoms.get(id)
    return (before === undefined ? 0 : liveOf(this.#catalog, before)) + (this.#joined.get(id)?.size ?? 0)
  }

  triple(id: AtomId): Triple | undefined {
    return (this.#formed.get(id) ?? this.#atoms.get(id))?.triple
  }

  /** The atoms that an episode says, sorted. */
  of(episode: EpisodeId): AtomId[] {
    const before = [...this.#atoms.of(episode)].filter((id) => this.stands(id))
    return [...before, ...(this.#byEpisode.get(episode) ?? [])].sort()
  }

  /** The atoms with triples of the same subject and object, sorted. */
  between(triple: Triple): AtomId[] {
    const ends = endsKey(triple)
    const formed = [...this.#formed.values()].filter(
      (atom) => atom.triple !== undefined && endsKey(atom.triple) === ends,
    )
    return [...new Set([...this.#atoms.between(ends), ...formed.map(({ id }) => id)])]
      .filter((id) => this.stands(id))
      .sort()
  }

  form(atom: NewAtom): void {
    this.#formed.set(atom.id, atom)
    for (const episode of atom.episodes) this.#says(episode, atom.id)
  }

  /** Adds episodes to an atom that stands. */
  join(id: AtomId, episodes: readonly EpisodeId[]): void {
    const formed = this.#formed.get(id)
    const before = this.#atoms.get(id)
    for (const episode of episodes) {
      if (formed !== undefined) {
        if (formed.episodes.includes(episode)) continue
        formed.episodes.push(episode)
      } else {
        const joined = this.#joined.get(id) ?? new Set()
        if (before!.episodes.has(episode) || joined.has(episode)) continue
        this.#joined.set(id, joined.add(episode))
      }
      this.#says(episode, id)
    }
  }

  /** The events by which it counts, of what is still there: atoms that were formed, then those that gained, by id. */
  events(upTo: number): NewEvent<'semanticAtomFormed' | 'semanticAtomRevised'>[] {
    const live = (episodes: Iterable<EpisodeId>) => [...episodes].filter((id) => this.#catalog.slot(id) !== undefined)
    const formed = byId(this.#formed).flatMap(([atom, { least, statement, triple, episodes }]) => {
      const left = live(episodes)
      return left.length < least
        ? []
        : [{ kind: 'semanticAtomFormed' as const, atom, statement, ...(triple && { triple }), episodes: left, upTo }]
    })
    const revised = byId(this.#joined).flatMap(([atom, episodes]) => {
      const left = live(episodes)
      return left.length === 0 || !this.stands(atom)
        ? []
        : [{ kind: 'semanticAtomRevised' as const, atom, episodes: left, upTo }]
    })
    return [...formed, ...revised]
  }

  #says(episode: EpisodeId, id: AtomId): void {
    const atoms = this.#byEpisode.get(episode)
    if (atoms === undefined) this.#byEpisode.set(episode, [id])
    else atoms.push(id)
  }
}

function byId<T>(atoms: ReadonlyMap<AtomId, T>): [AtomId, T][] {
  return [...atoms].sort(([a], [b]) => (a < b ? -1 : 1))
}
