import type { SensoryMethods } from '../../api/methods/sensory.js'
import type { Caller } from '../../api/caller.js'
import { AgidbError } from '../../base/errors.js'
import { checkId, invalid } from '../../api/check.js'
import type { Episode, EpisodeId, Observation } from '../../api/episode.js'
import type { KeptMedia } from '../episodes/kept-media.js'
import type { Medium } from '../translations/keeping.js'
import type { Keepsake } from '../translations/keepsake.js'
import type { TranslationParts } from '../translations/translations.js'
import type { LearningEvent } from '../../api/learning.js'
import type {
  DiffersFrom,
  NewSensoryFrame,
  ObservedFrame,
  PromotionReason,
  SensoryFrame,
  SensoryId,
  WorkingState,
} from '../../api/sensory.js'
import { toIso } from '../../api/time.js'
import { CAPACITY, SensoryBuffer, WINDOW_MS } from './buffer.js'
import { sensoryFrameKind } from '../../records/kinds/sensory-frame.js'
import type { Logged, NewEvent } from '../../records/event-log.js'
import { GOAL_THRESHOLD, SURPRISE_THRESHOLD } from './surprise-threshold.js'
import { calibrated } from './surprise-profile.js'
import type { Beliefs } from '../beliefs/beliefs.js'
import { loadOnce } from '../../base/load-once.js'
import type { Expectation } from './expectation.js'
import type { Goals } from '../goals/goals.js'
import { Judge } from './judge.js'
import type { Part } from './latents.js'
import type { Origin } from './news.js'
import { type Perceived, perceived } from './perceived.js'
import { observationOf, type Promoted, promoted } from './promoted.js'
import type { MemoryContext } from '../context.js'
import type { Audits } from '../forgetting/audits.js'
import { goneFrom } from '../evidence.js'
import { type IsGone, ofEvents, type Projection, projectionOf, type Service } from '../projection.js'

/** What says how much a frame was to be expected. It is large, so it is loaded when it is first needed. */
export interface SensoryParts {
  readonly expectation: () => Promise<{ readonly Expectation: typeof Expectation }>
}

/** What the floor reads of others. */
export interface SensoryNeighbours {
  readonly goals: Goals
  readonly beliefs: Beliefs
  readonly audits: Audits
  readonly media: KeptMedia
}

/** A frame as it is judged: checked, and encoded where it is a picture or sound. */
interface Encoded extends Omit<Perceived, 'media' | 'keep'> {
  /** Of a frame of several senses: its parts. */
  readonly parts?: readonly Part[]
  /** What is kept of the pictures and sounds themselves if the frame becomes an episode. */
  readonly kept?: Keepsake
}

/** That a frame becomes an episode, and what is kept of it is to be made before. */
const UNMADE = new Error('what is kept of a frame is to be made first')

/** What is perceived, before it is remembered (floor 1). */
export class SensoryFloor implements Projection, Service {
  readonly #context: MemoryContext
  /** What is to be expected; loaded with the first frame. */
  readonly #expectation: () => Promise<Expectation>
  #made: Expectation | undefined
  readonly #buffer = new SensoryBuffer()
  readonly #judge: Judge
  readonly projections = [ofEvents(this), projectionOf(sensoryFrameKind, this.#buffer)]
  readonly #audits: Audits
  readonly #media: KeptMedia
  /** What has pictures and sounds encoded. */
  readonly #translations: TranslationParts['translations']
  /** The slots of the promotions of frames. */
  readonly #promotions = new Map<LearningEvent<'sensoryFramePromoted'>, number>()

  constructor(
    context: MemoryContext,
    { goals, beliefs, audits, media }: SensoryNeighbours,
    parts: SensoryParts & TranslationParts,
  ) {
    this.#context = context
    this.#audits = audits
    this.#media = media
    this.#translations = parts.translations
    this.#expectation = loadOnce(async () => {
      const { Expectation } = await parts.expectation()
      return (this.#made = new Expectation(context, goals, beliefs))
    })
    this.#judge = new Judge(context, this.#buffer, this.#expectation)
  }

  apply(event: LearningEvent, slot: number): void {
    if (event.kind === 'sensoryFramePromoted') this.#promotions.set(event, slot)
  }

  retract(events: readonly LearningEvent[]): void {
    for (const event of events) if (event.kind === 'sensoryFramePromoted') this.#promotions.delete(event)
  }

  /** A frame that became an episode which is gone was never seen. */
  without(events: readonly Logged[], isGone: IsGone): ReadonlyMap<LearningEvent, LearningEvent | undefined> {
    const instead = new Map<LearningEvent, LearningEvent | undefined>()
    const beliefs = new Set<string>()
    for (const { event, slot } of events) {
      if (event.kind === 'beliefAsserted') beliefs.add(event.belief)
      if (event.kind !== 'sensoryFramePromoted') continue
      const { differsFrom, ...rest } = event
      // The episode comes in the same commit, before the event.
      if (isGone(event.episode, slot)) instead.set(event, undefined)
      else if (differsFrom !== undefined && !beliefs.has(differsFrom) && isGone(differsFrom, slot))
        instead.set(event, rest)
    }
    return instead
  }

  /** What stands in the buffer, the oldest first. */
  get frames(): SensoryBuffer {
    return this.#buffer
  }

  /** Frames that ever came, those that are forgotten included. */
  get #seen(): number {
    return Math.max(this.#buffer.observed, this.#audits.frames.seen)
  }

  /** Bytes of main memory beside the buffer's. */
  get bytes(): number {
    return this.#made?.bytes ?? 0
  }

  free(): void {
    this.#made?.free()
  }

  /** The public methods of sensory frames on behalf of a caller. */
  methods(caller: Caller): SensoryMethods {
    return {
      observeSensory: (frame) => this.observe(frame, caller),
      workingState: () => this.state(),
      surpriseScore: (frame) => this.surprise(frame),
      surpriseScoreBrainCalibrated: (frame) => this.calibratedSurprise(frame),
    }
  }

  async observe(frame: NewSensoryFrame, caller: Caller): Promise<ObservedFrame> {
    const encoded = await this.#encoded(frame, caller)
    const { kept } = encoded
    try {
      return await this.#observed(encoded, kept === undefined ? [] : kept.made, caller)
    } catch (error) {
      if (error !== UNMADE) throw error
    }
    // Made while others may write: an encoder that takes long holds nobody up.
    return this.#observed(encoded, await kept!.make(), caller)
  }

  /**
   * Takes a frame in.
   *
   * @param media what is kept of it if it becomes an episode; absent where it is not made yet
   * @throws UNMADE where it becomes one and this is to be made first; nothing is stored then
   */
  async #observed(encoded: Encoded, media: readonly Medium[] | undefined, caller: Caller): Promise<ObservedFrame> {
    const { makeId, learn, frameChanged: told } = this.#context
    const { at, kept: keepsake, parts: _, ...rest } = encoded
    return this.#preparing(caller, (prepare) =>
      learn(caller, async (now) => {
        const { surprise, differsFrom, parts } = await this.#judge.expected(encoded, now)
        const seen: SensoryFrame = {
          id: makeId('sf_', now, (id) => this.#buffer.has(id)),
          ...rest,
          at: toIso(at ?? now),
          receivedAt: toIso(now),
          surprise,
          goalRelevance: await this.#judge.relevance(encoded, now),
          ...(parts && { parts }),
        }
        const reason = this.#reason(seen)
        if (reason && media === undefined) throw UNMADE
        const made = reason && this.#episodeOf(prepare(observationOf(seen)), seen, media!)
        const episode = made?.episode
        const promoted = episode && reason ? { ...seen, promotedTo: episode.id, promotedFor: reason } : seen
        // In what it differs is worked out when it is shown: the words of a memory stay in its row alone.
        const kept: SensoryFrame = {
          ...promoted,
          ...(differsFrom && { differsFrom: { ...this.#named(differsFrom), parts: [] } }),
        }
        const number = this.#seen + 1
        const leaving = this.#buffer.leaving(now)
        const answer: ObservedFrame = { id: seen.id, surprise, ...(episode && { promotedTo: episode.id }) }
        return {
          ...made,
          events: episode ? [promotion(kept)] : [],
          records: [
            { op: 'put', id: seen.id, row: sensoryFrameKind.encode({ frame: kept, number }) },
            ...leaving.map(({ slot, frame: { id } }) => ({ op: 'remove', slot, id }) as const),
          ],
          answer,
          result: ([slot], pieces) => {
            for (const { frame } of leaving) this.#buffer.remove(frame.id)
            this.#buffer.apply({ frame: kept, number }, slot)
            if (made === undefined) this.#buffer.keep(seen.id, keepsake)
            else this.#follow(made, pieces, caller)
            told(seen.id, slot, caller)
            return answer
          },
        }
      }),
    )
  }

  async state(): Promise<WorkingState> {
    const seen = this.#buffer.seen(this.#context.clock())
    const observed = this.#seen - this.#audits.frames.removed
    const promoted = this.#promoted()
    const frames: SensoryFrame[] = []
    for (const { frame } of seen) frames.push(await this.#shown(frame))
    const waiting = seen.filter(({ frame }) => frame.promotedFor === undefined).length
    return {
      frames,
      capacity: CAPACITY,
      windowMs: WINDOW_MS,
      threshold: this.#threshold,
      observed,
      promoted,
      dropped: observed - promoted - waiting,
    }
  }

  async surprise(frame: NewSensoryFrame): Promise<number> {
    return (
      await this.#judge.expected(
        await this.#encoded(frame, { writer: this.#context.writer, from: '' }),
        this.#context.clock(),
      )
    ).surprise
  }

  async calibratedSurprise(frame: NewSensoryFrame): Promise<number> {
    const profile = this.#context.options.surpriseProfile
    if (profile === undefined) {
      throw invalid('there is no profile to calibrate by: give open the surpriseProfile that fitSurpriseProfile made', {
        option: 'surpriseProfile',
      })
    }
    return calibrated(profile, await this.surprise(frame))
  }

  /** Remembers an observation that was made by a frame in the buffer; what it does not say itself is the frame's. */
  async promote(observation: Observation, id: SensoryId, caller: Caller): Promise<EpisodeId> {
    const { limits, learn } = this.#context
    checkId('frame', id, limits)
    const media = (await this.#buffer.kept(id)?.make()) ?? []
    return this.#preparing(caller, (prepare) =>
      learn(caller, (now) => {
        const found = this.#buffer.find(id, now)
        if (found === undefined) {
          throw new AgidbError(
            'AGIDB_NOT_FOUND',
            `there is no frame with the id ${JSON.stringify(id)} in the sensory buffer; it may have been dropped`,
            { id },
          )
        }
        const { slot, frame, number } = found
        if (frame.promotedFor !== undefined) {
          throw invalid(
            `the frame ${JSON.stringify(id)} became an episode already (${frame.promotedFor}); ` +
              'observe without it to remember more',
            { id, episode: frame.promotedTo },
          )
        }
        const given = Object.fromEntries(Object.entries(observation).filter(([, value]) => value !== undefined))
        const prepared = prepare({ ...observationOf(frame), ...given } as Observation)
        const made = this.#episodeOf(prepared, frame, media)
        const { episode } = made
        const kept: SensoryFrame = { ...frame, promotedTo: episode.id, promotedFor: 'observed' }
        return {
          ...made,
          events: [promotion(kept)],
          records: [{ op: 'update', slot, id, row: sensoryFrameKind.encode({ frame: kept, number }) }],
          answer: episode.id,
          result: (_, pieces) => {
            this.#buffer.apply({ frame: kept, number }, slot)
            this.#buffer.keep(id, undefined)
            this.#follow(made, pieces, caller)
            return episode.id
          },
        }
      }),
    )
  }

  /** Checks a frame, and has the encoders of the memory encode its pictures and sounds. */
  async #encoded(frame: NewSensoryFrame, caller: Caller): Promise<Encoded> {
    const { limits, options, tellEpisodes } = this.#context
    const { media, keep, ...seen } = perceived(frame, limits)
    if (media === undefined) return seen
    const { keepsakeOf, sensed } = await this.#translations()
    const kept = await keepsakeOf(media, keep, options.encoders, limits)
    const made = await sensed(options.encoders, media, 'frame.', (sense) =>
      tellEpisodes('encoderFailed', [sense], -1, caller),
    )
    if (seen.modality !== 'multimodal') return { ...seen, latent: made[0].latent, encoder: made[0].encoder, kept }
    const said: Part[] = seen.text === undefined ? [] : [{ modality: 'text' }]
    return { ...seen, parts: [...said, ...made], kept }
  }

  #episodeOf(prepared: Episode, frame: SensoryFrame, kept: readonly Medium[]): Promoted {
    return promoted(this.#context.indexes.kernel, prepared, frame, kept)
  }

  /** Takes in what went along with an episode, now that it is durable. */
  #follow({ episode, pieces }: Promoted, slots: readonly number[], caller: Caller): void {
    const { indexes, tellEpisodes } = this.#context
    pieces.forEach((piece, i) => this.#media.apply(piece, slots[i]))
    if (episode.senses === undefined) return
    tellEpisodes('multimodalEpisodeStored', [episode.id], indexes.catalog.slot(episode.id)!, caller)
  }

  #promoted(): number {
    const isGone = goneFrom(this.#context.indexes.catalog)
    let promoted = 0
    for (const [{ episode }, slot] of this.#promotions) if (!isGone(episode, slot)) promoted++
    return promoted
  }

  get #threshold(): number {
    const { surpriseThreshold = SURPRISE_THRESHOLD, surpriseProfile } = this.#context.options
    return surpriseProfile?.threshold ?? surpriseThreshold
  }

  /** Runs what prepares an episode, and gives its id free once it is written or refused. */
  async #preparing<T>(
    caller: Caller,
    work: (prepare: (observation: Observation) => Episode) => Promise<T>,
  ): Promise<T> {
    const prepared: Episode[] = []
    try {
      return await work((observation) => {
        const episode = this.#context.prepare(observation, caller)
        prepared.push(episode)
        return episode
      })
    } finally {
      prepared.forEach(this.#context.releaseId)
    }
  }

  #reason({ surprise, goalRelevance }: SensoryFrame): PromotionReason | undefined {
    const { surpriseProfile: profile } = this.#context.options
    const judged = profile === undefined ? surprise : calibrated(profile, surprise)
    if (judged > this.#threshold) return 'surprise'
    return goalRelevance > GOAL_THRESHOLD ? 'goal' : undefined
  }

  /**
   * A frame as it is answered: a copy, which points to its episode and to what it differs from for as long as that is
   * there.
   */
  async #shown({ promotedTo, latent, parts: own, differsFrom: from, ...frame }: SensoryFrame): Promise<SensoryFrame> {
    const { catalog } = this.#context.indexes
    const there = promotedTo !== undefined && catalog.slot(promotedTo) !== undefined
    const origin = from && {
      slot: from.episode === undefined ? undefined : catalog.slot(from.episode),
      belief: from.belief,
    }
    const spoken = { text: frame.text!, speaker: frame.speaker }
    const parts = origin && (await (await this.#expectation()).differences(spoken, origin))
    return {
      ...frame,
      ...(latent && { latent: latent.slice() }),
      ...(own && { parts: own.map(({ latent, ...part }) => ({ ...part, ...(latent && { latent: latent.slice() }) })) }),
      ...(there && { promotedTo }),
      ...(from && parts && { differsFrom: { ...from, parts } }),
    }
  }

  #named({ slot, belief }: Origin): Omit<DiffersFrom, 'parts'> {
    return slot === undefined ? { belief } : { episode: this.#context.indexes.catalog.id(slot) }
  }
}

/** The event that tells of a promotion. */
function promotion({ id, modality, promotedTo, promotedFor, surprise, differsFrom: from }: SensoryFrame): NewEvent {
  const other = from?.episode ?? from?.belief
  return {
    kind: 'sensoryFramePromoted',
    frame: id,
    modality,
    episode: promotedTo!,
    surprise,
    reason: promotedFor!,
    ...(other !== undefined && { differsFrom: other }),
  }
}
