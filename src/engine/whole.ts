import * as contrast from '../extraction/contrast/comparer.js'
import * as lasting from '../extraction/lasting/reader.js'
import * as graphs from '../indexes/graph/part.js'
import * as graph from '../memory/associations/queries.js'
import * as documents from '../memory/documents/queries.js'
import * as concepts from '../memory/concepts/queries.js'
import * as expectation from '../memory/sensory/expectation.js'
import * as self from '../memory/self/queries.js'
import * as extraction from '../maintenance/text-reader.js'
import * as translations from '../memory/translations/queries.js'
import * as believing from '../memory/believing-part.js'
import * as goals from '../memory/goals/changes.js'
import * as floors from '../memory/part.js'
import * as forgetting from '../memory/forgetting-part.js'
import * as procedures from '../memory/procedures/changes.js'
import * as consolidation from '../memory/knowledge/consolidation.js'
import * as pools from '../pools/part.js'
import * as particulars from '../recall/particulars.js'
import * as walk from '../recall/graph/part.js'
import * as sequence from '../recall/sequence/part.js'
import * as encryption from '../storage/crypto/encryption.js'
import type { Engine } from './engine.js'
import * as occasional from './occasional.js'
import { openEngine as open } from './open.js'
import type { EngineOptions } from './options.js'
import type { EngineParts } from './parts.js'
import * as portable from './portable.js'
import { withStoredSearch } from './stored-search.js'
import * as sync from './sync.js'

/** The parts as modules of this program, which is in one piece. */
export const OWN_PARTS: EngineParts = {
  floors: async () => floors,
  // What reads dates is three hundred modules.
  time: () => import('../extraction/time/reader.js'),
  sequence: async () => sequence,
  pools: async () => pools,
  particulars: async () => particulars,
  contrast: async () => contrast,
  lasting: async () => lasting,
  extraction: async () => extraction,
  graphs,
  graph: async () => graph,
  documents: async () => documents,
  concepts: async () => concepts,
  expectation: async () => expectation,
  self: async () => self,
  translations: async () => translations,
  // Few programs read documents, and what reads them is large.
  markdown: () => import('../documents/markdown.js'),
  html: () => import('../documents/html.js'),
  goals: async () => goals,
  forgetting: async () => forgetting,
  believing: async () => believing,
  consolidation: async () => consolidation,
  procedures: async () => procedures,
  occasional,
  portable: async () => portable,
  sync: async () => sync,
  encryption: async () => encryption,
  walk: async () => walk,
}

/** Options of {@link openEngine}; of the parts only those that are not at hand. */
export type WholeOptions = Omit<EngineOptions, 'parts'> & { readonly parts?: Pick<EngineParts, 'rules'> }

/** Opens the engine as {@link open} does, with its parts at hand: for programs that wait for no network. */
export function openEngine(options: WholeOptions): Promise<Engine> {
  return open(withStoredSearch({ ...options, parts: { ...OWN_PARTS, ...options.parts } }))
}
