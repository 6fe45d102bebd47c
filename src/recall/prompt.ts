import type { EpisodeId } from '../core/episode.js'
import type { Match, Prompt, Turn } from '../core/recall.js'

/**
 * Thirtieths of a token: for a small Latin letter or a space, for a capital, a figure or a sign, and for a UTF-8 byte of any other
 * character. Set so that no line of chat, code, figures or of nine languages was under what the tokenizers o200k and cl100k count;
 * English comes out about a third too high.
 */
const COST = { small: 10, other: 24, byte: 15 }

interface Line {
  readonly id: EpisodeId
  readonly text: string
  readonly tokens: number
}

/**
 * Packs matches into a number of tokens, best first. A match that does not fit with its context is put in without it, and
 * passed over if that does not fit either.
 */
export function pack(matches: readonly Match[], budget: number): Prompt {
  const lines: Line[] = []
  const ids = new Set<EpisodeId>()
  let tokens = 0
  const take = (block: readonly Line[]) => {
    const cost = block.reduce((sum, line) => sum + line.tokens, 0)
    if (tokens + cost > budget) return false
    tokens += cost
    lines.push(...block)
    for (const { id } of block) ids.add(id)
    return true
  }
  for (const match of matches) {
    if (ids.has(match.id)) continue // it stands there as the context of a better one
    const own = toLine(match)
    const { before = [], after = [] } = match.context ?? {}
    const beside = (turns: readonly Turn[]) => turns.filter(({ id }) => !ids.has(id)).map((turn) => toLine(turn, '  '))
    if (!take([...beside(before), own, ...beside(after)])) take([own])
  }
  return { text: lines.map(({ text }) => text).join('\n'), tokens, ids: [...ids] }
}

function toLine({ id, at, speaker, text }: Turn, indent = ''): Line {
  const line = `${indent}[${oneLine(id)}] ${at.split('T')[0]} ${oneLine(speaker === undefined ? text : `${speaker}: ${text}`)}`
  return { id, text: line, tokens: estimate(`${line}\n`) }
}

/** So that nothing remembered can look like a line of its own. */
function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
}

function estimate(text: string): number {
  let cost = 0
  for (const byte of new TextEncoder().encode(text)) {
    if (byte >= 0x80) cost += COST.byte
    else cost += byte === 0x20 || (byte >= 0x61 && byte <= 0x7a) ? COST.small : COST.other
  }
  return Math.ceil(cost / 30)
}
