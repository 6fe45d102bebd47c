import { ChatError, type ChatModel, textOf } from './model.js'

/** `LanguageModel` of the Prompt API, as far as it is used. */
interface BuiltIn {
  availability(): Promise<'unavailable' | 'downloadable' | 'downloading' | 'available'>
  create(options: { readonly initialPrompts: readonly object[]; readonly signal: AbortSignal }): Promise<{
    promptStreaming(text: string, options: { readonly signal: AbortSignal }): ReadableStream<string>
    destroy(): void
  }>
}

const builtInModel = () => (globalThis as { LanguageModel?: BuiltIn }).LanguageModel

/** Whether this browser brings a model along that can run on this device. */
export async function hasBuiltIn(): Promise<boolean> {
  const state = await builtInModel()
    ?.availability()
    .catch(() => 'unavailable')
  return state !== undefined && state !== 'unavailable'
}

/** The browser's own model, of the Prompt API. */
export const builtIn: ChatModel = {
  about: "The browser's own model. Nothing leaves this machine.",
  async *answer(messages, signal) {
    const model = builtInModel()
    if (model === undefined) throw new ChatError('This browser brings no model along. Choose another.')
    if ((await model.availability()) === 'unavailable')
      throw new ChatError("The browser's model cannot run on this device. Choose another.")
    const session = await model.create({
      initialPrompts: messages.slice(0, -1).map((message) => ({ role: message.role, content: textOf(message) })),
      signal,
    })
    try {
      const reader = session.promptStreaming(textOf(messages.at(-1)!), { signal }).getReader()
      for (;;) {
        const { done, value } = await reader.read()
        if (done) return
        yield value
      }
    } finally {
      session.destroy()
    }
  },
}
