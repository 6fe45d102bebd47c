import { checkChoice, checkId, checkKeys, checkWhole, invalid } from '../api/check.js'
import type { Limits } from '../api/open-options.js'
import type { TimeInput } from '../api/episode.js'
import type { LearningEvent, LearningKind, LearningQuery } from '../api/learning.js'
import { toIso, toMillis } from '../api/time.js'
import { idsOf, LEARNING_KINDS } from '../records/events/registry.js'
import type { Logged } from '../records/event-log.js'
import type { MemoryContext } from './context.js'
import { inOrder } from './told.js'

const MAX_EVENTS = 1_000_000

/** A time, half-open, epoch milliseconds; without a bound on a side that is absent. */
export interface Period {
  readonly since?: number
  readonly until?: number
}

/** A checked {@link LearningQuery}. */
export interface EventFilter extends Period {
  readonly kinds: ReadonlySet<LearningKind>
  readonly subject?: string
  readonly limit: number
}

/** @throws AgidbError with the code of what is wrong. */
export function toEventFilter(since: TimeInput, query: LearningQuery | undefined, limits: Limits): EventFilter {
  checkKeys('query', query, ['kinds', 'subject', 'until', 'limit'])
  const { kinds = LEARNING_KINDS, subject, until, limit = MAX_EVENTS } = query ?? {}
  if (!Array.isArray(kinds))
    throw invalid(`kinds must be an array of ${LEARNING_KINDS.join(', ')}`, { what: 'kinds', kinds: LEARNING_KINDS })
  for (const [i, kind] of kinds.entries()) checkChoice(`kinds[${i}]`, kind, LEARNING_KINDS)
  if (subject !== undefined) checkId('subject', subject, limits)
  checkWhole('limit', limit, 1, MAX_EVENTS)
  return { ...toPeriod({ since: toMillis(since, 'since'), until }), kinds: new Set(kinds), subject, limit }
}

/** @throws AgidbError `AGIDB_INVALID_TIME` for no time, `AGIDB_INVALID_ARGUMENT` for an end before the start */
export function toPeriod({ since, until }: { readonly since?: TimeInput; readonly until?: TimeInput }): Period {
  const from = since === undefined ? undefined : toMillis(since, 'since')
  const to = until === undefined ? undefined : toMillis(until, 'until')
  if (from !== undefined && to !== undefined && to < from)
    throw invalid(`until is ${toIso(to)}, which is before since, ${toIso(from)}; expected a later time`, {
      what: 'until',
    })
  return { ...(from !== undefined && { since: from }), ...(to !== undefined && { until: to }) }
}

/**
 * What was learned, in the order in which it was. The events are those of the log, not copies, where they name nothing
 * that is gone.
 *
 * @param changes of {@link changesOfEpisodes}.
 */
export function learned(
  context: Pick<MemoryContext, 'indexes' | 'told'>,
  { kinds, subject, limit, ...period }: EventFilter,
  changes: readonly ChangeOfEpisode[],
): LearningEvent[] {
  const found: LearningEvent[] = []
  const all = inOrder(kinds.has('episodeStored') ? [...withEpisodes(context)] : context.told())
  for (const event of withChanges(context, all, changes)) {
    if (found.length === limit) break
    if (kinds.has(event.kind) && within(period, event) && (subject === undefined || idsOf(event).has(subject)))
      found.push(event)
  }
  return found
}

/** An event that is read from episodes which were stored before. */
export type ChangeOfEpisode = LearningEvent<'episodeSuperseded' | 'episodeUpdated' | 'conceptsMerged'>

/** Episodes that are read at once. */
const EPISODES_PER_READ = 1_000

/**
 * The events of these kinds that are not stored, in order of `at`: that episodes were superseded or updated, which is
 * read from the episodes, and that names are of one concept.
 */
export async function changesOfEpisodes(
  context: Pick<MemoryContext, 'indexes' | 'fetch'>,
  { versions, merges }: { readonly versions: VersionsOf; readonly merges: () => Promise<readonly ChangeOfEpisode[]> },
  kinds: ReadonlySet<LearningKind>,
): Promise<ChangeOfEpisode[]> {
  const found: ChangeOfEpisode[] = [
    ...(kinds.has('episodeSuperseded') ? await supersessions(context) : []),
    ...(kinds.has('episodeUpdated') ? updates(context, versions) : []),
    ...(kinds.has('conceptsMerged') ? await merges() : []),
  ]
  return found.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
}

/** The earlier versions of an episode, oldest first. */
type VersionsOf = (episode: string) => readonly { readonly replacedAt: string }[]

async function supersessions({
  indexes: { catalog },
  fetch,
}: Pick<MemoryContext, 'indexes' | 'fetch'>): Promise<LearningEvent<'episodeSuperseded'>[]> {
  const slots = catalog.supersededSlots()
  const found: LearningEvent<'episodeSuperseded'>[] = []
  for (let i = 0; i < slots.length; i += EPISODES_PER_READ) {
    for (const episode of await fetch(slots.slice(i, i + EPISODES_PER_READ))) {
      if (episode?.superseded === undefined) continue
      const {
        id,
        superseded: { by, at, recordedAt },
      } = episode
      found.push({ id: `es_${id}`, kind: 'episodeSuperseded', at: recordedAt, episode: id, by, validTo: at })
    }
  }
  return found
}

/** Each update of which a version is kept; the last update of an episode of which none is. */
function updates(
  { indexes: { catalog } }: Pick<MemoryContext, 'indexes'>,
  versionsOf: VersionsOf,
): LearningEvent<'episodeUpdated'>[] {
  return catalog.updatedSlots().flatMap((slot) => {
    const episode = catalog.id(slot)!
    const kept = versionsOf(episode).map(({ replacedAt }) => replacedAt)
    const times = kept.length === 0 ? [toIso(catalog.updatedAt(slot)!)] : kept
    return times.map((at, i) => ({ id: `eu_${i + 1}_${episode}`, kind: 'episodeUpdated' as const, at, episode }))
  })
}

/** Whether an event is of that time. */
export function within({ since = -Infinity, until = Infinity }: Period, { at }: LearningEvent): boolean {
  const time = Date.parse(at)
  return since <= time && time < until
}

/**
 * Events with the changes of episodes between them, by time: each after what is of the same time, and after that the
 * episodes which it names were stored.
 */
function* withChanges(
  { indexes: { catalog } }: Pick<MemoryContext, 'indexes'>,
  all: Iterable<Logged>,
  changes: readonly ChangeOfEpisode[],
): Generator<LearningEvent> {
  const there = changes.filter((change) => episodesOf(change).every((id) => catalog.slot(id) !== undefined))
  const isStored = (id: string, before: number) => (catalog.slot(id) ?? -1) < before
  let next = 0
  for (const { slot, event } of all) {
    for (; next < there.length; next++) {
      const change = there[next]
      if (change.at >= event.at || !episodesOf(change).every((id) => isStored(id, slot))) break
      yield change
    }
    yield event
  }
  yield* there.slice(next)
}

/** The episodes that an event is read from, and which must be there. */
function episodesOf(change: ChangeOfEpisode): readonly string[] {
  if (change.kind === 'conceptsMerged') return change.evidence
  return change.kind === 'episodeSuperseded' ? [change.episode, change.by] : [change.episode]
}

/** The events, and between them that each live episode was stored. */
function* withEpisodes({ indexes: { catalog }, told }: Pick<MemoryContext, 'indexes' | 'told'>): Generator<Logged> {
  const logged = told()
  let next = 0
  for (const slot of catalog.slots()) {
    while (next < logged.length && logged[next].slot < slot) yield logged[next++]
    const episode = catalog.id(slot)!
    yield { slot, event: { id: `ev_${episode}`, kind: 'episodeStored', at: toIso(catalog.recordedAt(slot)), episode } }
  }
  while (next < logged.length) yield logged[next++]
}
