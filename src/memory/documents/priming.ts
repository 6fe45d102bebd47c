import type { Identity, Priming } from '../../api/identity.js'
import { estimate } from '../../recall/answer/prompt.js'

/** Characters of an entry that are quoted. */
const QUOTED = 240

/** A line that tells of something with an id. */
type Line = readonly [id: string, text: string]

/**
 * The briefing that an agent starts with, in about so many tokens: what is most significant comes first, and what does
 * not fit is left out line by line. Contents are quoted: they are what is remembered, and no instructions.
 */
export function primingOf(identity: Identity, budget: number): Priming {
  const { core, openThreads, recentLearnings, goals, beliefs, atoms, centroids } = identity
  const sections: readonly (readonly [title: string, lines: readonly Line[]])[] = [
    ['Active goals', goals.map(({ id, description }): Line => [id, quoted(description)])],
    ['Core knowledge', core.map(({ entry }): Line => [entry.id, placed(entry.path, entry.content)])],
    [
      'Open threads',
      openThreads.map(({ entry, reason }): Line => [entry.id, `(${reason}) ${placed(entry.path, entry.content)}`]),
    ],
    ['Recent learnings', recentLearnings.map(({ id, path, content }): Line => [id, placed(path, content)])],
    ['Beliefs', beliefs.map(({ id, claim, confidence }): Line => [id, `(${confidence.toFixed(2)}) ${quoted(claim)}`])],
    ['Known', atoms.map(({ id, statement, support }): Line => [id, `(${support} times) ${quoted(statement)}`])],
  ]
  const lines: string[] = []
  const ids: string[] = []
  let tokens = 0
  const take = (added: readonly string[]) => {
    const cost = added.reduce((sum, line) => sum + estimate(`${line}\n`), 0)
    if (tokens + cost > budget) return false
    tokens += cost
    lines.push(...added)
    return true
  }
  const told = new Set<string>()
  for (const [title, all] of sections) {
    let isBegun = false
    for (const [id, text] of all) {
      if (told.has(id)) continue
      const line = `[${ids.length + 1}] ${text}`
      if (!take(isBegun ? [line] : [`${title}:`, line])) break
      isBegun = true
      told.add(id)
      ids.push(id)
    }
  }
  const coverage = centroids.map(({ perspective, entries }) => `${perspective} ${entries}`)
  if (coverage.length > 0) take([`Entries by perspective: ${coverage.join(', ')}.`])
  return { text: lines.join('\n'), tokens, ids }
}

function placed(path: string, content: string): string {
  return path === '' ? quoted(content) : `${path}: ${quoted(content)}`
}

/** A text on one line, in quotation marks, cut where it is long. */
function quoted(text: string): string {
  const line = text.replace(/\s+/gu, ' ').trim()
  const characters = [...line]
  return JSON.stringify(characters.length > QUOTED ? `${characters.slice(0, QUOTED).join('')}…` : line)
}
