import type { Rules } from '../extraction/rules/part.js'
import type { GraphsPart, LoadGraphs } from '../indexes/graph/part.js'
import type { TextReaderPart } from '../maintenance/text-reader.js'
import type { FloorParts } from '../memory/floor-parts.js'
import type { FloorsPart } from '../memory/part.js'
import type { MemoryParts } from '../memory/parts.js'
import type { WalkParts } from '../recall/graph/where-needed.js'
import type { Pools } from '../pools/part.js'
import type { Particulars } from '../recall/particulars.js'
import type { SequencePart } from '../recall/sequence/part.js'
import type { Encrypting } from '../storage/crypto/where-needed.js'
import type { Occasional } from './occasional.js'
import type { Portable } from './portable.js'
import type { Sync } from './sync.js'

/** All parts that the engine loads when it first needs them. */
export interface EngineParts extends MemoryParts, FloorParts, Required<Pick<WalkParts, 'walk'>> {
  /** The floors beside the episodes. */
  readonly floors: () => Promise<FloorsPart>
  /** The graphs: at hand, or to be loaded. */
  readonly graphs: GraphsPart | LoadGraphs
  /** Shares work among threads. */
  readonly pools: () => Promise<Pools>
  /** What only some questions ask for. */
  readonly particulars: () => Promise<Particulars>
  /** Answers questions about order in time. */
  readonly sequence: () => Promise<SequencePart>
  /** Parts that few programs use: loaded, or to be loaded. */
  readonly occasional: Occasional | (() => Promise<Occasional>)
  /** Brings memories out and in. */
  readonly portable: () => Promise<Portable>
  /** Exchanges changes with other devices. */
  readonly sync: () => Promise<Sync>
  /** Encrypts storages. */
  readonly encryption: () => Promise<Encrypting>
  /** Reads texts with an extractor. */
  readonly extraction: () => Promise<TextReaderPart>
  /** Finds statements in texts by rules. Absent where a program must bring them itself, as `agidb/rules`. */
  readonly rules?: () => Promise<Rules>
}

/** {@link EngineParts.occasional}, loaded where it is not yet. */
export async function occasionalOf({ occasional }: Pick<EngineParts, 'occasional'>): Promise<Occasional> {
  return typeof occasional === 'function' ? occasional() : occasional
}
