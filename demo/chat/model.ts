/** A message as models and the middleware of `agidb/ai-sdk` take it. */
export interface Message {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string | readonly { readonly type: 'text'; readonly text: string }[]
}

/** A part of an answer that is streamed. An answer that is complete ends with `finish`. */
export type Part = { readonly type: 'text-delta'; readonly delta: string } | { readonly type: 'finish' }

/** A model that answers. */
export interface ChatModel {
  /** Where the question and the memories go, in a sentence. */
  readonly about: string
  /** Whether its answers repeat what was recalled, and say nothing that is worth remembering. */
  readonly onlyQuotes?: boolean
  answer(messages: readonly Message[], signal: AbortSignal): AsyncIterable<string>
}

/** What an error is about, so that the page can say what to do. */
export class ChatError extends Error {}

export const textOf = ({ content }: Message): string =>
  typeof content === 'string' ? content : content.map(({ text }) => text).join('\n\n')
