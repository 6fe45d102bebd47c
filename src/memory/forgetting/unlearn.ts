import type { Caller } from '../../api/caller.js'
import type { Episode, EpisodeId } from '../../api/episode.js'
import type { UnlearnReport } from '../../api/forgetting.js'
import type { LearningEvent } from '../../api/learning.js'
import { toIso } from '../../api/time.js'
import { auditKeyKind } from '../../records/kinds/audit-key.js'
import { encodeEpisode } from '../../records/kinds/episode.js'
import { type Superseding, tombstoneKind } from '../../records/kinds/tombstone.js'
import { kindOf, subjectsOf } from '../../records/events/registry.js'
import type { RecordChange } from '../../write/record-change.js'
import { readWith, reread } from '../episodes/readings.js'
import type { RevisedEpisodes } from '../episodes/revised-episodes.js'
import { goneFrom } from '../evidence.js'
import type { ChangedEpisode, Rederived } from '../projection.js'
import { keyedHash } from './audit-key.js'
import { cascadeOf } from './cascade.js'
import { rewriting } from './erasure.js'
import { findTarget } from './find-target.js'
import type { Found, FoundVersion } from './finding.js'
import type { Forgetful, Parts } from './floors.js'
import { type Placed, takeIn, takeOut } from './live-set.js'
import { removalsOf, madeRecords } from './records.js'
import { canonical, type Target } from './target.js'

/** What is to be forgotten, why and when. */
export interface Unlearning {
  readonly target: Target
  readonly reason: string
  /** Whether only the report is wanted. */
  readonly isDry: boolean
  /** Epoch milliseconds. */
  readonly now: number
  /** Until when it can be restored, epoch milliseconds; `now`: not at all. */
  readonly expiry: number
  readonly caller: Caller
}

/** What is forgotten, read from the storage. */
interface Subject extends Found {
  readonly episodes: readonly Placed[]
  /** What the episodes said before they were updated, and earlier versions of others that are the target. */
  readonly versions: readonly FoundVersion[]
  /** Live episodes that come to be superseded no more, and how they were. */
  readonly revived: readonly (Placed & { readonly superseded: NonNullable<Episode['superseded']> })[]
}

/**
 * Makes the commit that forgets a target. From here on the indexes lack its episodes, unless it is a dry run; `undo`
 * puts them back.
 *
 * @throws AgidbError `AGIDB_NOT_FOUND`; what reading the storage throws: then the indexes are as they were.
 */
export async function draftUnlearn(parts: Parts, unlearning: Unlearning): Promise<Forgetful<UnlearnReport>> {
  const { context, floors } = parts
  const { target, isDry, now, expiry } = unlearning
  const subject = await subjectOf(
    parts,
    await findTarget(context, { ...floors, frames: () => floors.frames.all() }, target),
  )
  const { episodes, events, revived, frames, versions } = subject
  const removed = new Map(episodes.map(({ slot, episode }) => [episode.id, slot]))
  const isGone = goneFrom(context.indexes.catalog)
  const cascade = cascadeOf({
    told: context.told(),
    episodes: [...removed.keys()],
    direct: new Set(events.map(({ event }) => event.id)),
    without: floors.without((id, before) => isGone(id, before) || removed.has(id)),
    frames: frames.map(({ frame }) => frame.id),
    revived: revived.map(({ episode: { id }, superseded: { by } }) => ({ id, by })),
  })
  const counts = { ...cascade.counts, signaturesInvalidated: signaturesOf(parts, subject) }
  const told = { ...counts, tombstoneExpiry: toIso(expiry), graph: cascade.graph }
  const isNothing = episodes.length + events.length + frames.length + versions.length === 0
  if (isNothing) return nothing({ ...told, selfVectorDriftHamming: 0 })
  // By how much the self-vector would change is known only once the indexes lack the episodes.
  if (isDry) return nothing(told)
  const later = readWith(
    context,
    episodes.map(({ slot }) => slot),
  )
  const putBack = await forgetEpisodes(parts, subject)
  let rereading: RevisedEpisodes | undefined
  const undo = async () => {
    rereading?.undo()
    await putBack()
  }
  try {
    rereading = await reread(context, later, parts.pending)
    const changed: ChangedEpisode[] = episodes.map(({ slot, episode }) => {
      return { id: episode.id, slot, live: false, before: episode }
    })
    for (const { slot, episode } of revived) changed.push({ id: episode.id, slot, live: true, updated: true })
    for (const one of rereading.changed) changed.push(one)
    const rederived = changed.length === 0 ? NOTHING : ofWhatStays(await floors.rederive(changed), events)
    return {
      ...(await commitOf(parts, unlearning, subject, rereading, rederived, told)),
      undo,
      isErased: expiry <= now,
    }
  } catch (error) {
    await undo()
    throw error
  }
}

const NOTHING: Rederived = { gone: [], made: [] }

/** What is derived anew, but for what would be said of a belief that is forgotten itself. */
function ofWhatStays({ gone, made }: Rederived, events: Found['events']): Rederived {
  const uncreated = new Set(events.flatMap(({ event }) => (kindOf(event)?.creates ? subjectsOf(event) : [])))
  return { gone, made: made.filter(({ event }) => !subjectsOf(event).some((id) => uncreated.has(id))) }
}

function nothing(report: UnlearnReport): Forgetful<UnlearnReport> {
  return {
    records: [],
    done: () => ({ gone: [], back: [], made: [], told: [] }),
    answer: report,
    isErased: false,
  }
}

/** What is found, with the frames that became its episodes, and the episodes themselves. */
async function subjectOf({ context, floors }: Parts, found: Found): Promise<Subject> {
  const { catalog } = context.indexes
  const episodes = await read(context, found.slots)
  const ids = new Set(episodes.map(({ episode: { id } }) => id))
  const promoted = floors.frames
    .all()
    .filter(({ frame: { promotedTo } }) => promotedTo !== undefined && ids.has(promotedTo))
  const frames = [...new Set([...found.frames, ...promoted])].sort((a, b) => a.slot - b.slot)
  const removed = new Set(found.slots)
  const old = [...ids].flatMap((id) => catalog.supersededBy(id)).filter((slot) => !removed.has(slot))
  const revived = (await read(context, old)).map(({ slot, episode: { superseded, ...episode } }) => ({
    slot,
    episode,
    superseded: superseded!,
  }))
  const own = [...ids].flatMap((episode) => floors.versions.of(episode).map((one) => ({ ...one, episode })))
  const versions = [...own, ...(found.versions ?? [])]
  return { ...found, frames, episodes, versions, revived }
}

async function read({ fetch }: Parts['context'], slots: readonly number[]): Promise<Placed[]> {
  const episodes = await fetch(slots)
  return slots.flatMap((slot, i) => (episodes[i] === undefined ? [] : [{ slot, episode: episodes[i] }]))
}

function signaturesOf({ context: { indexes } }: Parts, { episodes }: Subject): number {
  return indexes.signatures.arenas.reduce(
    (sum, { arena }) => sum + episodes.filter(({ slot }) => arena.has(slot)).length,
    0,
  )
}

/** Takes the episodes out of the indexes; answers what puts them back from the storage. */
async function forgetEpisodes(
  { context, pending }: Parts,
  { episodes, revived }: Subject,
): Promise<() => Promise<void>> {
  const { indexes, read } = context
  await takeOut(indexes, episodes, revived)
  for (const { slot, episode } of revived) pending.set(slot, episode)
  return async () => {
    await takeIn(indexes, await read(episodes.map(({ slot }) => slot)))
    for (const { slot, episode, superseded } of revived) indexes.update(slot, { ...episode, superseded })
  }
}

/** The rows that are written, and what holds once they are durable. */
async function commitOf(
  parts: Parts,
  { target, reason, now, expiry, caller }: Unlearning,
  { episodes, versions, events, frames, revived }: Subject,
  rereading: RevisedEpisodes,
  rederived: Rederived,
  { graph, ...told }: UnlearnReport,
): Promise<Omit<Forgetful<UnlearnReport>, 'undo' | 'isErased'>> {
  const { context, floors, tombstones, key: auditKey } = parts
  const audit = context.makeId('au_', now, (id) => parts.audits.find(id) !== undefined)
  const { key, isNew } = auditKey.keyOrNew()
  const isErasing = expiry <= now
  const buried = [
    ...episodes.map(({ slot, episode: { id } }) => ({ slot, id, supersedes: supersededBy(id, revived) })),
    ...versions.map(({ slot, id }) => ({ slot, id, supersedes: [] })),
    ...frames.map(({ slot, frame: { id } }) => ({ slot, id, supersedes: [] })),
    ...events.map(({ slot, event: { id } }) => ({ slot, id, supersedes: [] })),
  ]
  const rows = isErasing ? [] : await context.rows(buried.map(({ slot }) => slot))
  const burials = buried.map(
    ({ slot, id, supersedes }, i): RecordChange =>
      isErasing
        ? { op: 'remove', slot, id }
        : { op: 'update', slot, id, row: tombstoneKind.encode({ audit, supersedes, row: rows[i]! }) },
  )
  const direct = new Set<LearningEvent>(events.map(({ event }) => event))
  const gone = [...new Set([...events.map(({ event }) => event), ...rederived.gone])]
  // What was derived anew names nothing of it any more.
  const left = new Set(gone)
  const erasing = isErasing
    ? rewriting(
        context.log.all().filter(({ event }) => !left.has(event)),
        floors.without(goneFrom(context.indexes.catalog)),
      )
    : { changes: [], gone: [], back: [] }
  const seen = Math.max(floors.frames.observed, parts.audits.frames.seen)
  const { event, row } = floors.make(
    {
      kind: 'unlearned',
      audit,
      target: target.kind,
      targetHash: keyedHash(key, canonical(target)),
      reason,
      ...told,
      selfVectorDriftHamming: floors.drift(rederived.gone, rederived.made),
      ...(told.framesRemoved > 0 && { framesSeen: seen }),
    },
    now,
  )
  const made = madeRecords(rederived.made)
  const fixed: RecordChange[] = [
    ...burials,
    ...revived.flatMap(({ slot, episode }): RecordChange[] =>
      rereading.episodes.has(slot) ? [] : [{ op: 'update', slot, id: episode.id, row: encodeEpisode(episode) }],
    ),
    ...rereading.records,
    ...removalsOf(
      context.log,
      rederived.gone.filter((event) => !direct.has(event)),
    ),
    ...erasing.changes,
    ...(isErasing ? floors.media.removals(episodes.map(({ slot }) => slot)) : []),
    ...(isNew ? [{ op: 'put' as const, id: `key_${audit}`, row: auditKeyKind.encode(key) }] : []),
  ]
  const { selfVectorDriftHamming } = event as LearningEvent<'unlearned'>
  return {
    records: [...fixed, ...made, row],
    done: (slots) => {
      if (isNew) auditKey.apply(key, slots[fixed.length - 1])
      if (!isErasing)
        burials.forEach((burial, i) => {
          if (burial.op === 'update') tombstones.apply(tombstoneKind.decode(burial.row), buried[i].slot)
        })
      if (isErasing) floors.media.drop(episodes.map(({ slot }) => slot))
      floors.versions.retract(versions)
      floors.frames.retract(frames.map(({ frame, number }) => ({ frame, number })))
      const slotsOfMade = slots.slice(fixed.length)
      if (episodes.length > 0)
        context.tellEpisodes(
          'episodeRemoved',
          episodes.map(({ episode: { id } }) => id),
          episodes.at(-1)!.slot,
          caller,
        )
      return {
        gone: [...gone, ...erasing.gone],
        back: erasing.back,
        made: [
          ...rederived.made.map(({ event, signature }, i) => ({ slot: slotsOfMade[i], event, signature })),
          { slot: slotsOfMade[made.length], event },
        ],
        told: [event],
      }
    },
    answer: { auditId: audit, ...told, selfVectorDriftHamming, graph },
  }
}

/** What an episode had superseded and does no more. */
function supersededBy(id: EpisodeId, revived: Subject['revived']): Superseding[] {
  return revived.flatMap(({ slot, superseded: { by, at, recordedAt } }) =>
    by === id ? [{ slot, at, recordedAt }] : [],
  )
}
