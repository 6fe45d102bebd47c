import type { WhyStep } from '../../src/runtimes/browser/index.js'

/** What a step between two episodes says of the second. */
const STEPS: Readonly<Record<string, string>> = {
  forward: 'came next',
  backward: 'came just before',
  association: 'often together',
  pageRank: 'near by all ways together',
}

/**
 * A path in words: `came next`, `both name Kestrel`, `names Kestrel, Kestrel holds furniture, which this names`.
 *
 * @param isEpisode whether an end of a step is an episode; the others are names
 */
export function told(why: readonly WhyStep[], isEpisode: (id: string) => boolean): string {
  const parts: string[] = []
  for (let i = 0; i < why.length; i++) {
    const { from, edge, to } = why[i]
    const next = i + 1 < why.length ? why[i + 1] : undefined
    if (edge !== 'entity') parts.push(STEPS[edge] ?? `${from} ${edge} ${to}`)
    else if (!isEpisode(from)) parts.push(`names ${from}`)
    else if (next?.edge === 'entity' && next.from === to) {
      parts.push(`both name ${to}`)
      i++
    } else parts.push(`names ${to}`)
  }
  return parts.join(', then ')
}
