/** What a call does to the memory. */
export type Effect = 'reads' | 'writes'

/**
 * How one public method is carried. Everything that stands between a caller and the service that does the work reads
 * this: the worker's client and host, the tabs, the read-only view and the log of calls that had their effect.
 */
export interface MethodSpec {
  /** What a call does to the memory; a function where that depends on the arguments, which are not checked yet. */
  readonly effect: Effect | ((args: readonly unknown[]) => Effect)
  /** Present where the options can have a `signal` and an `onProgress`, which are functions of the caller's thread. */
  readonly interruption?: Interruption
  /** A first argument that is too large for one message: the items of a batch, or the bytes of a source. */
  readonly input?: 'items' | 'bytes'
  /**
   * What the method gives: a promise of plain data (the default) or of a stream of `bytes`, an async iterable of
   * `pages`, or, for a listener of `changes`, the function that ends the subscription.
   */
  readonly output?: 'bytes' | 'pages' | 'changes'
  /** What a call answers that is sent again after it had its effect. Default `stored`. */
  readonly repeated?: RepeatedAnswer
  /** Whether each handle does it for itself, so that it is never sent to the tab that owns the database. */
  readonly perHandle?: boolean
  /**
   * The arguments with an id for each new episode. Used before a call is sent to another tab, so that the same episodes
   * are written when it is sent again to the next owner.
   */
  readonly withIds?: (args: readonly unknown[], newId: (prefix: string) => string) => readonly unknown[]
  /** The arguments in a form that can be sent to a worker or another tab, where callers may give what cannot. */
  readonly crossing?: (args: readonly unknown[]) => readonly unknown[]
  /** The answer as a handle gives it on whose behalf the engine of another tab answered. */
  readonly relayed?: (answer: unknown) => unknown
}

/** Where the options of a method stand that can be interrupted, and what its caller waits for then. */
export interface Interruption {
  /** Index of the options among the arguments. */
  readonly options: number
  /**
   * When a call whose signal fired rejects. `at-once`: nothing is lost. `when-answered`: after the engine's answer,
   * which says how much of the batch is durable.
   */
  readonly rejects: 'at-once' | 'when-answered'
}

/**
 * What a repeated call answers. `stored`: the answer that was stored with its effect. `resumed`: the service is called
 * again with the stored answer and does the rest. `reread`: the stored answer; without one, what this method answers
 * now for the first argument of the call.
 */
export type RepeatedAnswer = 'stored' | 'resumed' | { readonly reread: string }

/** Methods by name. */
export type MethodTable = Readonly<Record<string, MethodSpec>>

/** The registration of the methods of an interface: one that is missing or has another name does not compile. */
export type Registration<Methods> = { readonly [Name in keyof Methods & string]: MethodSpec }
