import type { AgentInputItem } from '@openai/agents'

/**
 * What recall finds an item by: the words of a message. Of any other item it is its kind alone, so that the results of
 * tools, of `recall` among them, are not recalled as if somebody had said them.
 */
export function wordsOf(item: AgentInputItem): string {
  const { type = 'message', name, content } = item as { type?: string; name?: string; content?: unknown }
  const words = type === 'message' ? textOf(content).trim() : ''
  return words === '' ? `[${[type, name].filter((part) => typeof part === 'string').join(' ')}]` : words
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  const texts = (content as readonly (Readonly<Record<string, unknown>> | null)[]).map(
    (part) => part?.['text'] ?? part?.['transcript'] ?? part?.['refusal'],
  )
  return texts.filter((text) => typeof text === 'string').join('\n')
}
