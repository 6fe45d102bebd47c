import type { EpisodeId } from '../core/episode.js'
import type { Match, Prompt, Turn } from '../core/recall.js'

/** UTF-8 bytes a token. English has over four, Chinese about three, names and figures less; an id of random letters about two. */
const BYTES = { text: 3, id: 2 }

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
  const said = ` ${at.split('T')[0]} ${oneLine(speaker === undefined ? text : `${speaker}: ${text}`)}`
  const label = `[${oneLine(id)}]`
  // With the line break that parts it from the next.
  return { id, text: indent + label + said, tokens: Math.ceil(bytes(label) / BYTES.id + (bytes(indent + said) + 1) / BYTES.text) }
}

/** So that nothing remembered can look like a line of its own. */
function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
}

function bytes(text: string): number {
  return new TextEncoder().encode(text).length
}
