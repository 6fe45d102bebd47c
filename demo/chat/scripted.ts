import { type ChatModel, textOf } from './model.js'

const LINE = /^\s*\[(\d+)\] (?:\d{4}-\d\d-\d\d )?(.+)$/gm

/** No model: it quotes the memories that were recalled. For tests, and to try the chat without a key. */
export const scripted: ChatModel = {
  about: 'No model: it quotes what is recalled. Nothing leaves this tab.',
  onlyQuotes: true,
  async *answer(messages, signal) {
    const recalled = [...textOf(messages.at(-1)!).matchAll(LINE)].slice(0, 2)
    const quotes = recalled.map(([, number, text]) => `“${text}” [${number}]`)
    const text =
      quotes.length === 0 ? 'I remember nothing about that.' : `This is what I remember: ${quotes.join(' And: ')}`
    for (const word of text.split(/(?<= )/)) {
      if (signal.aborted) return
      yield word
      await new Promise((resolve) => setTimeout(resolve, 8))
    }
  },
}
