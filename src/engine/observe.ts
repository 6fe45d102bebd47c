import type { ObserveManyOptions, Episode, EpisodeId, Observation, ObserveContext } from '../api/episode.js'
import type { MultimodalContext, MultimodalInput } from '../api/sensory.js'
import type { EntryFacet } from '../api/entry-facet.js'
import type { Purpose } from '../api/purpose.js'
import type { Caller } from '../api/caller.js'
import { checkKeys, checkSignal, invalid } from '../api/check.js'
import { AgidbError } from '../base/errors.js'
import type { MemoryContext } from '../memory/context.js'
import { mediaPieces, putPiece } from '../memory/episodes/media-pieces.js'
import { checkObservation, CONTEXT_KEYS, toEpisode } from '../records/observation.js'
import { COMMIT_EPISODES } from '../write/write-queue.js'
import type { EngineContext } from './context.js'
import type { LateFloors } from './late-floors.js'
import type { EngineParts } from './parts.js'

/** Makes episodes of observations and has them written. */
export class Observer {
  readonly #context: EngineContext
  readonly #floors: () => LateFloors
  readonly #wake: () => void
  readonly #translations: EngineParts['translations']
  /** What is being written, by the ids. */
  readonly #pending = new Map<EpisodeId, ReturnType<MemoryContext['observation']>>()

  /** @param wake called when episodes were written, or refused. */
  constructor(
    context: EngineContext,
    floors: () => LateFloors,
    wake: () => void,
    translations: EngineParts['translations'],
  ) {
    this.#context = context
    this.#floors = floors
    this.#wake = wake
    this.#translations = translations
  }

  async observe(caller: Caller, text: string, context: ObserveContext = {}): Promise<EpisodeId> {
    this.#context.checkOpen()
    checkKeys('observe', context, [...CONTEXT_KEYS, 'frame'])
    const { frame, ...rest } = context
    const observed = { ...rest, text }
    if (frame !== undefined) return (await this.#floors().get()).observeFrame(observed, frame, caller)
    if (this.#lacksFloors([observed])) await this.#loadFloors()
    const episodes = this.prepare([observed], () => '', caller)
    const [{ id }] = episodes
    await this.#context.writer
      .add(episodes, { receipt: () => ({ caller, answer: id }), begin: () => this.#expect(episodes) })
      .finally(() => this.written(episodes))
    return id
  }

  /** Remembers what was perceived beside a text; all of it or nothing. */
  async observeMultimodal(caller: Caller, input: MultimodalInput, context: MultimodalContext = {}): Promise<EpisodeId> {
    const { checkOpen, config, indexes, writer, tell } = this.#context
    checkOpen()
    checkKeys('observeMultimodal', context, [...CONTEXT_KEYS, 'keep'])
    const { keep, ...about } = context
    checkObservation('', { ...about, text: input?.text ?? '-' }, config.limits)
    const { encoders } = config.options
    const { perceive, keeping } = await this.#translations()
    const { senses, signatures, text } = await perceive(indexes.kernel, encoders, input, (sense) =>
      tell('encoderFailed', [sense], -1, caller),
    )
    const media = await keeping(input, keep, encoders, config.limits)
    const isKept = media.length > 0
    const floors = isKept || this.#lacksFloors([about]) ? await this.#floors().get() : undefined
    checkOpen()
    const [prepared] = this.prepare([{ ...about, text }], () => '', caller)
    const episode: Episode = senses.length === 0 ? prepared : { ...prepared, senses }
    const { id } = episode
    await writer
      .transact(() => {
        const pieces = mediaPieces(indexes.kernel, episode, media)
        return {
          episodes: [episode],
          perceived: new Map([[id, signatures]]),
          records: pieces.map(putPiece),
          receipt: { caller, answer: id },
          done: (slots) => pieces.forEach((piece, i) => floors!.media.apply(piece, slots[i])),
        }
      })
      .finally(() => this.written([episode]))
    tell('multimodalEpisodeStored', [id], indexes.catalog.slot(id) ?? -1, caller)
    return id
  }

  /** @param begun of the items, how many are durable since the call was asked before. */
  async observeMany(
    caller: Caller,
    items: readonly Observation[],
    options: ObserveManyOptions = {},
    begun = 0,
  ): Promise<EpisodeId[]> {
    const { checkOpen, config, writer } = this.#context
    checkOpen()
    checkKeys('observeMany', options, ['onProgress', 'signal'])
    if (options.onProgress !== undefined && typeof options.onProgress !== 'function') {
      throw invalid('onProgress must be a function that takes { done, total }', { option: 'onProgress' })
    }
    if (!Array.isArray(items)) throw invalid('items must be an array of { text, … }', { what: 'items' })
    const { batch } = config.limits
    if (items.length > batch) {
      throw new AgidbError(
        'AGIDB_TOO_LARGE',
        `items has ${items.length} items; at most ${batch} are accepted (limits.batch)`,
        { what: 'items' },
      )
    }
    const left = items.slice(begun)
    if (this.#lacksFloors(left)) await this.#loadFloors()
    const episodes = this.prepare(left, (i) => `items[${begun + i}]`, caller)
    let observed = 0
    try {
      await writer.add(episodes, {
        receipt: (done) => ({ caller, answer: begun + done }),
        begin: () => {
          if (observed > 0) checkOpen() // closing waits for the first commit, which was asked for before it
          checkSignal(options.signal)
          // All of them before the first is written.
          this.#expect(observed === 0 ? episodes : episodes.slice(observed, observed + COMMIT_EPISODES))
        },
        durable: (done) => {
          this.written(episodes.slice(observed, done))
          observed = done
          options.onProgress?.({ done: begun + done, total: items.length })
        },
      })
    } catch (error) {
      this.written(episodes.slice(observed))
      throw withObserved(error, begun + observed)
    }
    // What may be asked again comes with its ids.
    return [...items.slice(0, begun).map(({ id }) => id!), ...episodes.map(({ id }) => id)]
  }

  /** Stores new entries of documents; resolves when they are durable. */
  async storeEntries(caller: Caller, entries: readonly (readonly [Observation, EntryFacet])[]): Promise<void> {
    const episodes = this.prepare(
      entries.map(([observation]) => observation),
      (i) => `entries[${i}]`,
      caller,
    ).map((episode, i): Episode => ({ ...episode, entry: entries[i][1] }))
    await this.#context.writer.add(episodes, { receipt: () => ({ caller }) }).finally(() => this.written(episodes))
  }

  /** Checks observations and makes episodes of them, all or none. */
  prepare(items: readonly Observation[], name: (index: number) => string, { writer }: Caller): Episode[] {
    const {
      indexes,
      config: { clock, limits, makeId },
    } = this.#context
    const chosen = new Set<EpisodeId>()
    const taken = (id: EpisodeId) => chosen.has(id) || this.#pending.has(id) || indexes.catalog.slot(id) !== undefined
    for (const [i, item] of items.entries()) {
      checkObservation(name(i), item, limits)
      if (item.id === undefined) continue
      if (taken(item.id)) {
        const where = name(i) === '' ? 'id' : `${name(i)}.id`
        throw new AgidbError(
          'AGIDB_DUPLICATE_ID',
          `${where} is ${JSON.stringify(item.id)}, which is taken; choose another or leave it out`,
          { id: item.id },
        )
      }
      chosen.add(item.id)
    }
    const now = clock()
    const newId = () => {
      let id = makeId('ep_', now)
      while (taken(id)) id = makeId('ep_', now)
      chosen.add(id)
      return id
    }
    const episodes = items.map((item) => toEpisode(item, item.id ?? newId(), now, writer))
    for (const [i, { id }] of episodes.entries()) {
      const { goal, beliefs } = items[i]
      this.#pending.set(id, isLinked(items[i]) ? { what: name(i), goal, beliefs: [...(beliefs ?? [])] } : undefined)
    }
    return episodes
  }

  /** What an episode that is being written was observed for. */
  writing(id: EpisodeId): ReturnType<MemoryContext['observation']> {
    return this.#pending.get(id)
  }

  /** Episodes that were prepared are now written, or refused. */
  written(episodes: readonly Episode[]): void {
    for (const { id } of episodes) this.#pending.delete(id)
    this.#wake()
  }

  /** Whether the floors, which hold goals and beliefs, are to be loaded first. */
  #lacksFloors(items: readonly Purpose[]): boolean {
    return this.#floors().now === undefined && items.some(isLinked)
  }

  async #loadFloors(): Promise<void> {
    await this.#floors().get()
    this.#context.checkOpen()
  }

  /** @throws AgidbError `AGIDB_NOT_FOUND` for episodes that were observed for what is not there. */
  #expect(episodes: readonly Episode[]): void {
    this.#floors().now?.links.expect(episodes)
  }
}

/** Whether something is observed for a goal or with beliefs. */
function isLinked(item: Purpose | undefined): boolean {
  return item?.goal !== undefined || (item?.beliefs?.length ?? 0) > 0
}

/** The same error, saying how many observations were durable before it. */
function withObserved(error: unknown, observed: number): unknown {
  if (!(error instanceof AgidbError)) return error
  return new AgidbError(
    error.code,
    `${error.message} (${observed} of the items before it are durable)`,
    { ...error.details, observed },
    { cause: error.cause },
  )
}
