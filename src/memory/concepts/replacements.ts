import type { Replacement, Side } from '../conflicts.js'
import { confidenceOf, voiceOf } from '../voices.js'
import type { Support } from './candidates.js'
import { newestOf, type Statement } from './statements.js'

/**
 * The statements that a newer one replaces, each with it; the newest first.
 *
 * @param roots the roots of the concepts of which one must be named; absent: any.
 */
export function replacementsOf(
  statements: readonly Statement[],
  trustOf: Support['trustOf'],
  roots?: ReadonlySet<string>,
): Replacement[] {
  const byEpisode = new Map<string, Statement[]>()
  for (const statement of statements) {
    const { id } = newestOf(statement).episode
    byEpisode.set(id, [...(byEpisode.get(id) ?? []), statement])
  }
  return [...statements].reverse().flatMap((older): Replacement[] => {
    const { end, meant, said } = older
    if (end?.why !== 'replaced') return []
    const newer = byEpisode
      .get(end.by!)
      ?.find((other) => other.end === undefined && other.meant.relation === meant.relation && sharesEnd(other, older))
    if (newer === undefined || !(isAbout(older, roots) || isAbout(newer, roots))) return []
    const episodes = said.filter(({ isNow }) => isNow).map(({ episode: { id } }) => id)
    // One episode that states both cannot be superseded by itself.
    if (episodes.includes(end.by!)) return []
    return [{ older: sideOf(older, trustOf), newer: sideOf(newer, trustOf), episodes }]
  })
}

function isAbout({ meant }: Statement, roots: ReadonlySet<string> | undefined): boolean {
  return roots === undefined || roots.has(meant.subject) || roots.has(meant.object)
}

function sharesEnd(a: Statement, b: Statement): boolean {
  return [a.meant.subject, a.meant.object].some((root) => root === b.meant.subject || root === b.meant.object)
}

function sideOf(statement: Statement, trustOf: Support['trustOf']): Side {
  const now = statement.said.filter(({ isNow }) => isNow)
  const { episode, triple } = newestOf(statement)
  const { subject, predicate, object } = triple
  return {
    id: episode.id,
    statement: `${subject} ${predicate} ${object}`,
    predicate,
    confidence: confidenceOf(now.map(({ episode }) => voiceOf(episode, trustOf))),
    validFrom: now[0].episode.at,
    ...(episode.validTo !== undefined && { validTo: episode.validTo }),
  }
}
