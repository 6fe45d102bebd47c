interface Said {
  readonly id: string
  readonly statement: string
  readonly start: number
  /** How many came before it. */
  readonly place: number
  superseded?: { readonly by: string; readonly at: number; readonly known: number }
}

/** What the atoms of statements are, worked out anew for every question. */
export class NaiveAtoms {
  readonly #minSupport: number
  #episodes: Said[] = []
  #looked = new Set<string>()
  /** When it was consolidated, and through how many of the episodes that ever came. */
  #runs: { readonly now: number; readonly through: number }[] = []
  #came = 0
  /** When each episode was found to say its statement, and when that became an atom. */
  #members = new Map<string, Map<string, number>>()
  #formed = new Map<string, number>()

  constructor(minSupport: number) {
    this.#minSupport = minSupport
  }

  nth(index: number): string | undefined {
    return this.#episodes.length === 0 ? undefined : this.#episodes[index % this.#episodes.length].id
  }

  /** The episodes that say what this one says. */
  sayingAs(id: string): string[] {
    const { statement } = this.#episodes.find((episode) => episode.id === id)!
    return this.#episodes.filter((episode) => episode.statement === statement).map((episode) => episode.id)
  }

  start(id: string): number {
    return this.#episodes.find((episode) => episode.id === id)!.start
  }

  observe(id: string, statement: string, start: number): void {
    this.#episodes.push({ id, statement, start, place: this.#came++ })
  }

  /** Whether an episode superseded another. */
  supersedes(id: string): boolean {
    return this.#episodes.some(({ superseded }) => superseded?.by === id)
  }

  /** Forgets an episode: what was consolidated is so again without it. */
  remove(id: string): void {
    this.#episodes = this.#episodes.filter((episode) => episode.id !== id)
    this.#looked = new Set()
    this.#members = new Map()
    this.#formed = new Map()
    for (const { now, through } of this.#runs) this.#consolidate(now, through)
  }

  supersede(id: string, by: string, at: number, known: number): void {
    this.#episodes.find((episode) => episode.id === id)!.superseded = { by, at, known }
  }

  consolidate(now: number): void {
    this.#runs.push({ now, through: this.#came })
    this.#consolidate(now, this.#came)
  }

  #consolidate(now: number, through: number): void {
    for (const [i, { id, statement, place }] of this.#episodes.entries()) {
      if (this.#looked.has(id) || place >= through) continue
      this.#looked.add(id)
      const there = this.#episodes.some((other) => this.#members.get(statement)?.has(other.id))
      const same = this.#episodes.slice(0, i + 1).filter((other) => other.statement === statement)
      if (there) this.#members.get(statement)!.set(id, now)
      else if (same.length >= this.#minSupport) {
        this.#members.set(statement, new Map(same.map((other) => [other.id, now])))
        this.#formed.set(statement, now)
      }
    }
  }

  query(valid: number | undefined, known: number, now: number) {
    const found = []
    for (const [statement, members] of this.#members) {
      if (this.#formed.get(statement)! > known) continue
      const those = this.#episodes.filter(({ id }) => (members.get(id) ?? Infinity) <= known)
      if (those.length === 0) continue
      const validFrom = Math.min(...those.map(({ start }) => start))
      const validTo = Math.max(
        ...those.map(({ superseded }) =>
          superseded === undefined || superseded.known > known ? Infinity : superseded.at,
        ),
      )
      if (valid === undefined ? validTo <= now : valid < validFrom || valid >= validTo) continue
      found.push({ statement, episodes: those.map(({ id }) => id), validFrom, validTo })
    }
    return found.sort((a, b) => (a.statement < b.statement ? -1 : 1))
  }
}
