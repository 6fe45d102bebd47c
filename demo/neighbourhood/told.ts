import type { WhyStep } from '../../src/runtimes/browser/index.js'

/** What a step between two episodes says of the second. */
const STEPS: Readonly<Record<string, string>> = {
  forward: 'came next',
  backward: 'came just before',
  association: 'often together',
  pageRank: 'near by all ways together',
}

/** What a step between an episode and something that it has says of one episode, and of two that have it. */
const SHARED: Readonly<Record<string, Record<'one' | 'both', (what: string) => string> | undefined>> = {
  entity: { one: (name) => `names ${name}`, both: (name) => `both name ${name}` },
  word: { one: (word) => `says “${word}”`, both: (word) => `both say “${word}”` },
}

/**
 * A path in words: `came next`, `both name Kestrel`, `names Ann, then Ann leads Apollo, then names Apollo`.
 *
 * @param isEpisode whether an end of a step is an episode; the others are names
 */
export function told(why: readonly WhyStep[], isEpisode: (id: string) => boolean): string {
  const parts: string[] = []
  for (let i = 0; i < why.length; i++) {
    const { from, edge, to } = why[i]
    const next = i + 1 < why.length ? why[i + 1] : undefined
    const shared = SHARED[edge]
    if (shared === undefined) parts.push(STEPS[edge] ?? `${from} ${edge} ${to}`)
    else if (!isEpisode(from)) parts.push(shared.one(from))
    else if (next?.edge === edge && next.from === to) {
      parts.push(shared.both(to))
      i++
    } else parts.push(shared.one(to))
  }
  return parts.join(', then ')
}
