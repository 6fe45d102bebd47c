import type { Episode, TriplePattern } from '../../api/episode.js'
import type { Kernel, Query } from '../../kernel/port.js'
import type { Codebook } from '../codebook/codebook.js'
import type { Records } from '../record.js'
import type { Words, WordReading } from '../words.js'

/** What of an episode signatures are made of. */
export type EncodedFields = Pick<Episode, 'text' | 'speaker' | 'triples' | 'entry'>

/** What stands above a text and is searched with it: who said it or, in a document, the headings above it. */
export function headOf({ speaker, entry }: Pick<Episode, 'speaker' | 'entry'>): string | undefined {
  if (speaker !== undefined || entry === undefined) return speaker
  const path = entry.places[0]?.path
  return path === undefined || path.length === 0 ? undefined : path.join(' > ')
}

/** What of an episode is searched as text, what stands above it included. */
export function indexedText(episode: Pick<Episode, 'text' | 'speaker' | 'entry'>): string {
  const head = headOf(episode)
  return head === undefined ? episode.text : `${head}: ${episode.text}`
}

/** The text of an episode, cut into words once for all indexes and signature spaces. */
export interface IndexedText extends WordReading {
  /** Its word pieces by the codebook, each once; absent without a codebook. */
  readonly pieces?: Uint16Array
}

/** An episode as signatures are made of it. */
export interface EncodingInput {
  readonly episode: EncodedFields
  readonly read: IndexedText
}

/** The ids of the encoders of the senses that a memory has. */
export type SenseIds = Readonly<Record<string, string | undefined>>

/** What a memory has for making signatures. */
export interface SpaceTools {
  readonly kernel: Kernel
  readonly words: Words
  readonly records: Records
  readonly codebook?: Codebook
  /** The id of the sentence encoder. */
  readonly sentenceEncoder?: string
  /** The id of the encoder of each sense. */
  readonly senses?: SenseIds
}

/** What makes the signatures of one space in one memory. */
export interface SignatureMaker {
  /**
   * Hash of the codebook or model, hexadecimal. Stored signatures begin with its first eight bytes; those of another
   * maker are not used. Absent for what the version of the encoder identifies.
   */
  readonly id?: string
  /**
   * Makes the signatures of episodes in the form in which they are stored; `undefined` for an episode that has none.
   * Absent where signatures come later, such as from a model that runs in the background.
   *
   * @param into {@link SignatureSpace.encodedBytes} for each episode: signatures may be views of it.
   */
  make?(inputs: readonly EncodingInput[], into: Uint8Array): (Uint8Array | undefined)[]
}

/** A cue, as far as the memory knows it, before signature spaces turn it into queries. */
export interface SpaceCue {
  readonly kernel: Kernel
  readonly records: Records
  readonly text: string
  /** The inverse document frequency of a term; 0 for one that no memory has. */
  readonly idf: (term: string) => number
  /** What the inverse document frequency of a term in no memory would be. */
  readonly unseenIdf: number
  /** A statement with holes that was asked for. */
  readonly pattern?: TriplePattern
  /** Keys of concepts and predicates that the text names. */
  readonly concepts: readonly string[]
  readonly predicates: readonly string[]
  /** The id of the encoder of each sense. */
  readonly senses: SenseIds
  /** What is perceived with it, by sense. */
  readonly perceived: Readonly<Record<string, Query | undefined>>
  /** Queries that were made before, by space: by a codebook with the memory's own weights, or by a model. */
  readonly made: Readonly<Record<string, Query | undefined>>
}

/** How one query against the signatures of a space becomes a part of a score. */
export interface SpaceSignal {
  /** Its name among the signals of a match. */
  readonly name: string
  /**
   * What the best of the candidates adds to a score; others add their share of it. Absent: the ranking weighs it by
   * itself. Set by hand, in round numbers; measured with `bench:recall`.
   */
  readonly weight?: number
  /**
   * Standard deviations above an unrelated signature at which it begins to count, and at which it counts in full unless
   * another candidate stands higher. Default: from 0 to the best candidate.
   */
  readonly range?: { readonly from: number; readonly to: number }
  /** It is asked of candidates alone, not of their session neighbours: so fewer signatures are scored. */
  readonly ofCandidates?: boolean
}

/**
 * One way of comparing memories: what makes the signature of an episode, what a cue asks, how the signatures are
 * searched, and what a score says. Indexes, recall, scan pool and storage do for every registered space what it says
 * here.
 */
export interface SignatureSpace<Kind extends string = string> {
  /** Its name in storage and traces. */
  readonly kind: Kind
  /** Its number in the file format (docs/format.md), from 1 on without gaps. A number is never used again. */
  readonly tag: number
  /** The name of its signatures in a checkpoint. */
  readonly part: string
  /**
   * What tells whether a stored signature can be used: the version of the encoder that is stored beside it, or the mark
   * of its maker with which it begins.
   */
  readonly identifiedBy: 'encoder' | 'mark'
  /** Bytes that {@link SignatureMaker.make} needs for each episode. 0: it makes arrays of its own, in this thread. */
  readonly encodedBytes: number
  /**
   * The space in whose place its signatures are stored, behind that one's own. Default: they have a place of their own.
   */
  readonly storedWith?: string
  /** Its signatures come with an episode and stay as they are when its text changes. Default: they are made of it. */
  readonly isPerceived?: boolean
  readonly search: {
    /**
     * Many episodes can have a signature: they are kept in rows, too, or read from the storage, and other threads help
     * to scan them. Otherwise this thread scans them alone.
     */
    readonly isLarge: boolean
  }
  readonly weigh: {
    /** The first is what the space is searched by. */
    readonly signals: readonly [SpaceSignal, ...SpaceSignal[]]
    /**
     * What the first signal says about an answer's tier: `likeness`, how far it stands above chance; `meaning`, the
     * cosine that it stands for.
     */
    readonly tellsOf: 'likeness' | 'meaning'
  }
  /** What makes signatures here; `undefined` where the memory lacks what they are made with. */
  maker(tools: SpaceTools): SignatureMaker | undefined
  /** The query of each of its signals, by name; absent where the cue has nothing of the kind. */
  ask(cue: SpaceCue): Readonly<Record<string, Query | undefined>>
}
