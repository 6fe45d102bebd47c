import type { SelfMethods } from '../../api/methods/self.js'
import { toMillis } from '../../api/time.js'
import { loadOnce, ofLoaded } from '../../base/load-once.js'
import type { MemoryContext } from '../context.js'
import type { Service } from '../projection.js'
import type { Others, SelfQueries } from './queries.js'
import type { SelfVector } from './self-vector.js'

/** What answers questions about what was learned. It is large, so it is loaded when it is first needed. */
export interface SelfParts {
  readonly self: () => Promise<{ readonly SelfQueries: typeof SelfQueries }>
}

/** What the agent knows of itself (floor 7). */
export class Self implements Service {
  readonly projections = []
  readonly #vector: SelfVector
  readonly #queries: () => Promise<SelfQueries>

  constructor(context: MemoryContext, vector: SelfVector, others: Others, parts: SelfParts) {
    this.#vector = vector
    this.#queries = loadOnce(async () => {
      const { SelfQueries } = await parts.self()
      return new SelfQueries(context, vector, others)
    })
  }

  /** The public methods of the self model; they write nothing, so they need no caller. */
  methods(): SelfMethods {
    return {
      whatDidILearn: ofLoaded(this.#queries, (queries, since, query) => queries.learnedSince(since, query)),
      selfVector: async () => this.#vector.now.slice(),
      selfVectorAt: async (time) => this.#vector.at(toMillis(time, 'time')).slice(),
      selfSimilarity: ofLoaded(this.#queries, (queries, textOrId) => queries.similarity(textOrId)),
      introspect: ofLoaded(this.#queries, (queries, query) => queries.introspect(query)),
    }
  }
}
