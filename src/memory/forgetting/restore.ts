import type { Caller } from '../../api/caller.js'
import type { AuditId, RestoreReport } from '../../api/forgetting.js'
import type { StoredEpisode } from '../../api/storage.js'
import { AgidbError } from '../../base/errors.js'
import { decodeEpisode, encodeEpisode, episodeKind } from '../../records/kinds/episode.js'
import { learningEventKind } from '../../records/kinds/learning-event.js'
import { sensoryFrameKind } from '../../records/kinds/sensory-frame.js'
import { tombstoneKind } from '../../records/kinds/tombstone.js'
import { versionKind } from '../../records/kinds/version.js'
import { RECORD_KINDS } from '../../records/registry.js'
import type { RecordChange } from '../../write/record-change.js'
import { readWith, reread } from '../episodes/readings.js'
import type { RevisedEpisodes } from '../episodes/revised-episodes.js'
import type { ChangedEpisode, Rederived } from '../projection.js'
import type { Forgetful, Parts } from './floors.js'
import { takeIn, takeOut } from './live-set.js'
import { madeRecords, removalsOf } from './records.js'
import { mended, type Returning } from './supersession.js'

/** What is to come back. */
export interface Restoring {
  readonly audit: AuditId
  /** Epoch milliseconds. */
  readonly now: number
  readonly caller: Caller
}

/**
 * Makes the commit that restores what an unlearning forgot. From here on the indexes have its episodes; `undo` takes
 * them out again.
 *
 * @throws AgidbError `AGIDB_DUPLICATE_ID` when another episode has taken the id of one since.
 */
export async function draftRestore(parts: Parts, restoring: Restoring): Promise<Forgetful<RestoreReport>> {
  const { context, floors, tombstones } = parts
  const { audit, now, caller } = restoring
  const stored = await context.read(tombstones.of(audit).map(({ slot }) => slot))
  const buried = stored.map((one) => ({ ...one, ...tombstoneKind.decode(one.row), bytes: one }))
  const ofKind = (kind: unknown) => buried.filter(({ row }) => RECORD_KINDS.find(row) === kind)
  const episodes = ofKind(episodeKind).map(({ slot, row, supersedes }): Returning => {
    return { slot, episode: decodeEpisode(row), supersedes }
  })
  const frames = ofKind(sensoryFrameKind).map(({ slot, row }) => ({ slot, ...sensoryFrameKind.decode(row) }))
  const versions = ofKind(versionKind).map(({ slot, row }) => ({ slot, version: versionKind.decode(row) }))
  const events = ofKind(learningEventKind).map(({ slot, row }) => ({ slot, event: learningEventKind.decode(row) }))
  for (const { episode } of episodes) expectFree(parts, episode.id)
  const { restored, superseded, tombstones: others } = await mended(context, tombstones, episodes)
  const signatures = new Map(stored.map((one) => [one.slot, one]))
  let rereading: RevisedEpisodes | undefined
  const undo = async () => {
    rereading?.undo()
    await takeOut(context.indexes, restored, [])
    for (const {
      slot,
      episode: { superseded: _, ...episode },
    } of superseded)
      context.indexes.update(slot, episode)
  }
  try {
    await takeIn(
      context.indexes,
      restored.map(({ slot, episode }): StoredEpisode => ({ ...signatures.get(slot)!, row: encodeEpisode(episode) })),
    )
    for (const { slot, episode } of superseded) context.indexes.update(slot, episode)
    for (const { slot, episode } of [...restored, ...superseded]) parts.pending.set(slot, episode)
    const back = restored.map(({ slot }) => slot)
    // The turns before those that come back may be others, too.
    rereading = await reread(context, [...back, ...readWith(context, back)], parts.pending)
    const changed: ChangedEpisode[] = restored.map(({ slot, episode: { id } }) => ({ id, slot, live: true }))
    for (const { slot, episode } of superseded) changed.push({ id: episode.id, slot, live: true, updated: true })
    const isBack = new Set(back)
    for (const one of rereading.changed) if (!isBack.has(one.slot)) changed.push(one)
    const rederived: Rederived = changed.length === 0 ? { gone: [], made: [] } : await floors.rederive(changed)
    const { event, row } = floors.make({ kind: 'restored', audit }, now)
    const made = madeRecords(rederived.made)
    const again = rereading.episodes
    const fixed: RecordChange[] = [
      ...[...restored, ...superseded].flatMap(({ slot, episode }): RecordChange[] =>
        again.has(slot) ? [] : [{ op: 'update', slot, id: episode.id, row: encodeEpisode(episode) }],
      ),
      ...rereading.records,
      ...ofKind(sensoryFrameKind).map(({ slot, id, row }): RecordChange => ({ op: 'update', slot, id, row })),
      ...ofKind(versionKind).map(({ slot, id, row }): RecordChange => ({ op: 'update', slot, id, row })),
      ...ofKind(learningEventKind).map(({ slot, id, row }): RecordChange => ({ op: 'update', slot, id, row })),
      ...Array.from(others, ([slot, tombstone]): RecordChange => {
        return { op: 'update', slot, id: tombstones.at(slot)!.id, row: tombstoneKind.encode(tombstone) }
      }),
      ...removalsOf(context.log, rederived.gone),
    ]
    return {
      records: [...fixed, ...made, row],
      undo,
      done: (slots) => {
        for (const { slot } of stored) tombstones.remove(slot)
        for (const { slot, version } of versions) floors.versions.apply(version, slot)
        for (const { slot, frame, number } of frames) floors.frames.apply({ frame, number }, slot)
        const slotsOfMade = slots.slice(fixed.length)
        if (restored.length > 0)
          context.tellEpisodes(
            'episodeStored',
            restored.map(({ episode: { id } }) => id),
            restored.at(-1)!.slot,
            caller,
          )
        return {
          gone: rederived.gone,
          back: events,
          made: [
            ...rederived.made.map(({ event, signature }, i) => ({ slot: slotsOfMade[i], event, signature })),
            { slot: slotsOfMade[made.length], event },
          ],
          told: [event],
        }
      },
      answer: {
        auditId: audit,
        episodesRestored: restored.length,
        framesRestored: frames.length,
        eventsRestored: events.length,
        selfVectorDriftHamming: floors.drift(rederived.gone, rederived.made),
      },
      isErased: false,
    }
  } catch (error) {
    await undo()
    throw error
  }
}

function expectFree({ context: { indexes } }: Parts, id: string): void {
  if (indexes.catalog.slot(id) === undefined) return
  throw new AgidbError(
    'AGIDB_DUPLICATE_ID',
    `an episode with the id ${JSON.stringify(id)} was observed since; remove it to restore the one that had it before`,
    { id },
  )
}
