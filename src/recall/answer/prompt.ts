import type { Match, Prompt, Recall, Turn } from '../../api/recall.js'
import { fold } from '../../encoding/tokens.js'

/**
 * Thirtieths of a token: for a small Latin letter or a space, for a capital, a figure or a sign, and for a UTF-8 byte
 * of any other character. Set so that no line of chat, code, figures or of nine languages was under what the tokenizers
 * o200k and cl100k count; English comes out about a third too high.
 */
const COST = { small: 10, other: 24, byte: 15 }

/** A line before it has its number. */
interface Line {
  readonly id: string
  readonly text: string
  readonly indent?: boolean
}

/** Lines that belong together: all of them, or the own one alone. */
interface Block {
  /** How likely it is what was asked for, 0 to 1. */
  readonly relevance: number
  readonly own: Line
  readonly before: readonly Line[]
  readonly after: readonly Line[]
}

/** What beside the matches can stand in a prompt. */
export type Beside = Pick<Recall, 'beliefs' | 'semanticAtoms' | 'activeGoals'>

/**
 * Packs matches, and what of the other floors bears on the cue, into a number of tokens, the likeliest first. A match
 * that does not fit with its context is put in without it, and passed over if that does not fit either.
 */
export function pack(matches: readonly Match[], beside: Beside, budget: number, cue: string): Prompt {
  const lines: string[] = []
  const ids = new Set<string>()
  let tokens = 0
  const take = (block: readonly Line[]) => {
    const numbered = block.map((line, i) => write(line, ids.size + i + 1))
    const cost = numbered.reduce((sum, line) => sum + estimate(`${line}\n`), 0)
    if (tokens + cost > budget) return false
    tokens += cost
    lines.push(...numbered)
    for (const { id } of block) ids.add(id)
    return true
  }
  const answers = matches.filter((match) => !onlyAsks(match.text, cue))
  const asked = matches.filter((match) => onlyAsks(match.text, cue))
  for (const { own, before, after } of [...merged(answers.map(ofMatch), ofFloors(beside)), ...asked.map(ofMatch)]) {
    if (ids.has(own.id)) continue // it stands there as the context of a better one
    const isNew = ({ id }: Line) => !ids.has(id)
    if (!take([...before.filter(isNew), own, ...after.filter(isNew)])) take([own])
  }
  return { text: lines.join('\n'), tokens, ids: [...ids] }
}

/**
 * Two lists, each in its own order; of their firsts the one that is likelier comes first, of those alike the one of
 * `one`.
 */
function merged(one: readonly Block[], other: readonly Block[]): Block[] {
  const all: Block[] = []
  let at = 0
  for (const block of one) {
    while (at < other.length && other[at].relevance > block.relevance) all.push(other[at++])
    all.push(block)
  }
  return [...all, ...other.slice(at)]
}

function ofMatch(match: Match): Block {
  const { before = [], after = [] } = match.context ?? {}
  const beside = (turn: Turn): Line => ({ ...ofTurn(turn), indent: true })
  return { relevance: match.confidence, own: ofTurn(match), before: before.map(beside), after: after.map(beside) }
}

function ofTurn({ id, at, speaker, text, entry }: Turn & Pick<Match, 'entry'>): Line {
  if (entry?.source !== undefined) return { id, text: `${placeOf(entry)} ${text}` }
  return { id, text: `${at.split('T')[0]} ${speaker === undefined ? '' : `${speaker}: `}${text}` }
}

/** Where an entry stands, as a citation: `guide.md:120-480, Setup > On Debian:`. */
function placeOf({ source, startOffset, endOffset, path }: NonNullable<Match['entry']>): string {
  return `${source}:${startOffset}-${endOffset}${path === '' ? '' : `, ${path}`}:`
}

function ofFloors({ beliefs, semanticAtoms, activeGoals }: Beside): Block[] {
  const block = (relevance: number, id: string, text: string): Block => ({
    relevance,
    own: { id, text },
    before: [],
    after: [],
  })
  return [
    ...beliefs.map(({ id, claim, confidence, relevance }) =>
      block(relevance, id, `belief (${confidence.toFixed(2)}): ${claim}`),
    ),
    ...semanticAtoms.map(({ id, statement, confidence, relevance }) =>
      block(relevance, id, `known (${confidence.toFixed(2)}): ${statement}`),
    ),
    ...activeGoals.map(({ id, description, relevance }) => block(relevance, id, `goal: ${description}`)),
  ].sort((a, b) => b.relevance - a.relevance)
}

const QUESTION = /[?？؟]/u

/**
 * Whether a text asks and tells nothing: it is the question of the cue itself, or each of its sentences is a question.
 */
function onlyAsks(text: string, cue: string): boolean {
  const words = (said: string) =>
    fold(said)
      .replace(/[\p{P}\s]+/gu, ' ')
      .trim()
  if (QUESTION.test(cue) && words(text) === words(cue)) return true
  if (!QUESTION.test(text)) return false
  // A sentence tells something where words stand after its last question mark.
  return text
    .split(/(?<=[.!?؟])\s+|(?<=[。！？])/u)
    .every((sentence) => !/[^\s\p{P}]/u.test(sentence.split(QUESTION).at(-1)!))
}

function write({ text, indent }: Line, number: number): string {
  return `${indent === true ? '  ' : ''}[${number}] ${oneLine(text)}`
}

/** So that nothing remembered can look like a line of its own. */
function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
}

export function estimate(text: string): number {
  let cost = 0
  for (const byte of new TextEncoder().encode(text)) {
    if (byte >= 0x80) cost += COST.byte
    else cost += byte === 0x20 || (byte >= 0x61 && byte <= 0x7a) ? COST.small : COST.other
  }
  return Math.ceil(cost / 30)
}
