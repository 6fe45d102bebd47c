import type { Library } from '../library.js'

/** Something that a memory answered, under a name that is the same in each run. */
export interface Answer {
  readonly name: string
  readonly value: unknown
}

/** A part of a group that can run on its own: a conversation, a history, a fixture. */
export interface Unit {
  readonly name: string
  /** Answers in an order that is the same in each run. */
  answers(library: Library): AsyncIterable<Answer>
}

/**
 * What a call answered, or the code of its error: the words of a message may change, its code may not. An error without
 * a code is told by its name.
 */
export async function outcome(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    (value) => ({ value }),
    (error: Error & { readonly code?: string }) => ({ error: error.code ?? error.name }),
  )
}
