import type { GraphEntity } from '../../api/graph.js'
import { identityOf } from '../../extraction/concepts/identity.js'
import type { Indexes } from '../../indexes/indexes.js'
import { entityTypeOf } from '../../indexes/graph/relation-types.js'
import { keysOf } from './steps.js'

/** How entities are named and told, for the length of one call. */
export class EntityList {
  readonly #indexes: Indexes
  /** As callers wrote names that no episode has, by their keys. */
  readonly #written: ReadonlyMap<string, string>
  readonly #names = new Map<string, string>()

  constructor(indexes: Indexes, written: ReadonlyMap<string, string>) {
    this.#indexes = indexes
    this.#written = written
  }

  /** The root of the concept that a name is of; `undefined` where nothing names it. */
  find(name: string): string | undefined {
    const keys = this.keys(name)
    return keys.length === 0 ? undefined : this.#indexes.conceptNames.rootOf(keys[0])
  }

  /** The keys under which the graph knows a concept, sorted. */
  keys(name: string): string[] {
    return keysOf(this.#indexes, name, identityOf)
  }

  /** The name of a concept as most episodes write it; of those as many the longest. */
  name(root: string): string {
    const known = this.#names.get(root)
    if (known !== undefined) return known
    const { conceptNames } = this.#indexes
    const { names } = conceptNames
    const [best] = conceptNames
      .spellings(conceptNames.keysOf(root))
      .sort((a, b) => names.count(b) - names.count(a) || b.length - a.length || (a < b ? -1 : 1))
    const name = best ?? this.#writtenAs(root)
    this.#names.set(root, name)
    return name
  }

  tell(root: string): GraphEntity {
    const { conceptNames, entities } = this.#indexes
    const keys = conceptNames.keysOf(root)
    const kind = conceptNames.typeOf(keys)
    const edges = new Set(this.keys(root).flatMap((key) => [...entities.relations.at(key)]))
    return {
      name: this.name(root),
      type: entityTypeOf(kind),
      ...(kind !== undefined && { kind }),
      mentions: conceptNames.slots(keys).length,
      degree: [...edges].filter((edge) => entities.relations.weight(edge) > 0).length,
    }
  }

  /** The roots of all concepts that episodes or relations name. */
  all(): Set<string> {
    const { conceptNames, entities } = this.#indexes
    const roots = new Set<string>()
    for (const keys of conceptNames.all()) roots.add(conceptNames.rootOf([...keys][0]))
    for (const edge of entities.relations.all()) {
      if (entities.relations.weight(edge) <= 0) continue
      const { from, to } = entities.relations.edge(edge)
      for (const key of [from, to]) roots.add(conceptNames.rootOf(key))
    }
    return roots
  }

  #writtenAs(root: string): string {
    for (const key of [root, ...this.#indexes.conceptNames.keysOf(root)]) {
      const written = this.#written.get(key)
      if (written !== undefined) return written
    }
    return root
  }
}
