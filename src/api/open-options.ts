import type { Progress } from '../base/progress.js'
import type { DecideRevision } from './belief.js'
import type { Encoders, SentenceEncoder } from './encoder.js'
import type { Summarize } from './summarizer.js'
import type { Encryption } from './encryption.js'
import type { Extract, OnExtracted } from './extractor.js'
import type { Filter } from './filter.js'
import type { OnOpenProgress } from './open-progress.js'
import type { OntologyOptions } from './ontology.js'
import type { Ranker } from './ranker.js'
import type { SurpriseProfile } from './sensory.js'
import type { StorageAdapter } from './storage.js'

/** A memory that keeps nothing: it is gone when it is closed, or with the isolate on the edge. */
export interface MemoryPlace {
  readonly storage: 'memory'
  readonly path?: undefined
  readonly name?: undefined
}

/** A memory in a place of the application's own. Not in browsers: its functions do not cross to the engine worker. */
export interface AdapterPlace {
  /** See docs/storage-adapters.md. */
  readonly storage: StorageAdapter
  readonly path?: undefined
  readonly name?: undefined
}

/** How long some episodes are kept. */
export interface RetentionRule {
  readonly filter: Filter
  /** 0 to 36,525; need not be whole. */
  readonly days: number
}

/** Options that every runtime takes. */
export interface OpenOptions {
  /** The built kernel, `agidb/kernel.wasm`. Default: loaded from beside the library where the runtime allows it. */
  readonly kernel?: WebAssembly.Module | BufferSource | URL
  /** Use the pure TypeScript kernel even where WebAssembly SIMD is there. Default false. */
  readonly referenceKernel?: boolean
  /**
   * The clock, in epoch milliseconds. Not in a browser page: functions do not cross to the worker. Default: the
   * system's.
   */
  readonly clock?: () => number
  /**
   * The semantic codebook, by which words are found that mean the same: `static` is `agidb/codebook.bin` (8 MB), loaded
   * from beside the library; or another's bytes or URL. Default: `static`, and `none` on the edge or where it cannot be
   * loaded.
   */
  readonly codebook?: 'static' | 'none' | BufferSource | URL
  /**
   * What ranks: a learned table (`free`, trained on conversations that are free for any use; `locomo` of
   * `agidb/rankers/locomo`, trained on LoCoMo (CC BY-NC 4.0) as well; or your own, the JSON that `agidb train` wrote,
   * parsed) or `fusion`, the unlearned sum of signals. Default `free`.
   */
  readonly ranker?: 'free' | 'fusion' | Ranker
  /** Makes ids a function of this number, for tests; those of a client tab stay random. Default: random ids. */
  readonly seed?: number
  /** Who writes, for the provenance of what is observed. Default `agidb`. */
  readonly writer?: string
  /**
   * Bytes that are to stay free, of the disk or of what the browser says: what would write more is refused with
   * `AGIDB_QUOTA` when less is left, and what removes is not. Looked at from time to time, so that a little less may be
   * left; not kept where the room is not known (`stats().room`). Default 0.
   */
  readonly headroom?: number
  /**
   * Refuse every call that would change the memory, with `AGIDB_READ_ONLY`: `compact` and `verify({ repair: true })`
   * among them, `verify()` not. A memory that is not there is not made: `AGIDB_NOT_FOUND`. What a crash left is mended
   * as at any opening, but for a folder that may not be written to: that is opened without a lock and stays as it is
   * (`stats().opening` says `not-writable`). In a browser other tabs may write meanwhile. Default false.
   */
  readonly readOnly?: boolean
  /**
   * When an observation counts as kept. `strict`: once it is flushed. `relaxed`: once the operating system has it; it
   * is flushed within a tenth of a second or 4 MiB, and at `flush` and `close`, so that a power cut may take the last
   * ones. Where there is nothing to keep it in but IndexedDB, that is told the same. `stats().durability` says what is
   * in force: of several tabs, what the owner asked for. Default `strict`.
   */
  readonly durability?: 'strict' | 'relaxed'
  /**
   * How what is stored is encrypted: see `docs/encryption.md`. A memory that is not encrypted is from the first opening
   * on that asks for it; what it had before is plain until `compact()`. One whose keys have a passphrase or a key opens
   * with that alone (`AGIDB_PASSPHRASE`). Default: as the memory is; a new one is not encrypted.
   */
  readonly encryption?: Encryption
  /** Upper bounds of what is accepted. */
  readonly limits?: Partial<Limits>
  /**
   * Threads beside the engine's that share the scan of a large memory (262,144 episodes or more). They hold copies of
   * parts of the signatures, as far as {@link memoryBudget} allows; answers are the same with any number of them.
   * Default: one for each core but one; none on the edge. Where it is 0, in Node none makes signatures either while
   * very many episodes come.
   */
  readonly shards?: number
  /**
   * Bytes of main memory up to which copies are kept that save time: signatures in rows beside the columns, shards.
   * What the memory itself needs, about 2.7 KB an episode, it takes in any case. Default 2.5 GiB.
   */
  readonly memoryBudget?: number
  /**
   * Finds memories by what their sentences mean, too: `await sentenceEncoder(…)` of `agidb/onnx`. Memories are
   * encoded in the background; neither `observe`, `recall`, `flush` nor `close` waits for that. Default: none.
   */
  readonly encoder?: SentenceEncoder
  /**
   * What makes latents of pictures and of sounds, for `observeMultimodal` and `recall`: `{ image: await
   * imageEncoder(…) }` with `imageEncoder` of `agidb/onnx`. What another encoder made is kept and not found. Default:
   * none, so that the memory takes text alone.
   */
  readonly encoders?: Encoders
  /**
   * Called after each batch that was encoded and stored; when `done` is `total`, all memories are. What it throws ends
   * the encoding, and stands in `stats().encoder.error`.
   */
  readonly onEncoded?: (progress: Progress) => void
  /**
   * Reads the statements, entities and times out of texts, in the background; neither `observe`, `recall`, `flush` nor
   * `close` waits for that. `rules` is the built-in extractor of English. Default: `rules` in a browser and in Node,
   * `none` on the edge.
   */
  readonly extract?: Extract
  /**
   * Called after each batch of episodes that were read and stored; when `done` is `total`, all are. What it throws ends
   * the extraction, and stands in `stats().extraction.error`.
   */
  readonly onExtracted?: OnExtracted
  /**
   * Told how far opening has come, and how far what follows it: `{ what: 'codebook', done: 1048576, of: 8126464 }`. The
   * steps may overlap, and one with nothing to do is passed over: {@link OpenProgress}. What it throws is ignored. Of
   * several tabs or processes that share a memory it is told where the engine runs. Default: none.
   */
  readonly onProgress?: OnOpenProgress
  /**
   * Makes the summaries of documents, when these are stored. `extractive` chooses sentences, without a model. Summaries
   * of another summarizer are replaced when their document is stored changed. Default: `extractive`.
   */
  readonly summarizer?: Summarize
  /**
   * Whether the memory consolidates by itself, as `consolidate()` does, when nothing was written for 30 seconds and at
   * least 16 episodes are new. Default: true in a browser and in Node, false on the edge, where nothing runs between
   * requests.
   */
  readonly autoConsolidate?: boolean
  /**
   * Whether a memory of 256 episodes or more asks itself some questions after opening, once nobody has used it for a
   * second, so that the first questions are answered nearly as quickly as later ones. That takes about two seconds of
   * processor time; nothing is learned, kept or written, and no encoder is asked. Default: true in a browser, and in
   * Node for a folder; false for memories of `openScope` there, or of an adapter.
   */
  readonly warmUp?: boolean
  /**
   * Whether the memory learns from recalls: what is recalled together is associated, a little each time, and so are its
   * tags. It is learned after the answers were given, in batches. `graph.neighbours`, `activate` and `paths` walk over
   * it; recall does not, so that the same question has the same answer. Default: as `autoConsolidate`.
   */
  readonly learnFromRecall?: boolean
  /**
   * What the memory knows of relations beside what is built in (docs/concepts.md): inverse and symmetric ones, those
   * with one object at a time, and synonyms. Patterns, `concept`, beliefs and atoms read statements by it. Default:
   * nothing.
   */
  readonly ontology?: OntologyOptions
  /** The surprise over which a sensory frame is remembered, 0 to 1. Default 0.6, see `docs/floors.md`. */
  readonly surpriseThreshold?: number
  /**
   * What `fitSurpriseProfile` made: frames are then judged by the calibrated surprise and its threshold. Default: none.
   */
  readonly surpriseProfile?: SurpriseProfile
  /**
   * Believe by itself what episodes of several voices state, once it is this likely, 0.5 to 1: see docs/floors.md.
   * Default: only what `assertBelief` is told.
   */
  readonly autoBelieve?: number
  /**
   * How far what a source says is right, 0.5 (worth nothing) to 0.99, by its name; `*` is for all others. Default `{
   * '*': 0.75 }`.
   */
  readonly sourceTrust?: Readonly<Record<string, number>>
  /** Days for which what was forgotten can be restored, 0 to 36,525; 0 erases it at once. Default 30. */
  readonly tombstoneDays?: number
  /**
   * How long episodes are kept, by filters: `[{ filter: { source: 'sensor' }, days: 7 }]`. Counted from `recordedAt`;
   * then they are forgotten as by `unlearn`, when the memory is opened and while it is open. At most 100 rules.
   * Default: for good. An episode with an `expiresAt` is forgotten then in any case.
   */
  readonly retention?: readonly RetentionRule[]
  /** Decides what an episode says of a belief where its triples do not. Default: then it says nothing. */
  readonly decideRevision?: DecideRevision
}

/** Upper bounds of inputs, over which: `AGIDB_TOO_LARGE`; and of what is kept. */
export interface Limits {
  /** UTF-8 bytes of one text. Default 65,536. */
  readonly textBytes: number
  /** UTF-8 bytes of one cue: a question takes time for each of its words. Default 8,192. */
  readonly cueBytes: number
  /** Triples of one episode. Default 64. */
  readonly triples: number
  /** UTF-8 bytes of a speaker, session, source, id or a part of a triple. Default 1,024. */
  readonly nameBytes: number
  /** Items of one `observeMany`. Default 1,000,000. */
  readonly batch: number
  /** Bytes of a picture or sound that is kept with an episode. Default 16,777,216. */
  readonly mediaBytes: number
  /** Attention traces kept in main memory, the newest. Default 64. */
  readonly traces: number
}
