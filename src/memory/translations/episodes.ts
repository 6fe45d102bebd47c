import { checkChoice, checkId } from '../../api/check.js'
import { ownOf, SENSES, type SenseName } from '../../api/encoder.js'
import type { Episode, EpisodeId } from '../../api/episode.js'
import type { FoundEpisodeContent, Signature } from '../../api/neurosymbolic.js'
import type { BeliefId, GoalId, Purpose } from '../../api/purpose.js'
import type { Modality } from '../../api/sensory.js'
import { AgidbError } from '../../base/errors.js'
import { spaceOf } from '../../encoding/spaces/perceived.js'
import { EpisodeSignatures } from '../../encoding/translation/episode-signature.js'
import { ModalitySignatures, type Perceived } from '../../encoding/translation/modality-signature.js'
import type { Arena } from '../../kernel/port.js'
import { isExpired } from '../../records/expired.js'
import type { MemoryContext } from '../context.js'

const DAY_MS = 86_400_000

/** What translations read of the goals and beliefs of episodes. */
export interface LinkSource {
  /** An episode with its goal and its beliefs. */
  readonly shown: (episode: Episode) => Episode & Purpose
  /** The goals and beliefs of all episodes. */
  readonly linked: () => { readonly goals: readonly GoalId[]; readonly beliefs: readonly BeliefId[] }
}

/** Translates between episodes, or their modalities, and signatures. */
export class EpisodeTranslations {
  readonly #context: MemoryContext
  readonly #links: LinkSource
  readonly #episodes: EpisodeSignatures
  readonly #modalities: ModalitySignatures

  constructor(context: MemoryContext, links: LinkSource) {
    const { kernel, records } = context.indexes
    this.#context = context
    this.#links = links
    this.#episodes = new EpisodeSignatures(kernel, records)
    this.#modalities = new ModalitySignatures(kernel)
  }

  async signature(id: EpisodeId): Promise<Signature> {
    const episode = this.#links.shown(await this.#find(id))
    const { triples, goal, beliefs, at } = episode
    const perceived = this.#perceived(episode)
    return this.#episodes.signature({ triples, perceived, goal, beliefs, day: dayOf(Date.parse(at)) })
  }

  /** What a signature has beside statements. */
  content(signature: Signature): Omit<FoundEpisodeContent, 'triples'> {
    const { goals, beliefs } = this.#links.linked()
    const [goal] = this.#episodes.named(signature, 'goal', goals)
    const [day] = this.#episodes.named(signature, 'day', this.#days())
    return {
      ...(goal !== undefined && { goal }),
      beliefs: this.#episodes.named(signature, 'belief', beliefs),
      ...(day !== undefined && { day }),
    }
  }

  modality(signature: Signature, modality: Modality): Signature {
    this.#checkModality(modality)
    return this.#modalities.unbind(signature, modality)
  }

  async modalityOf(id: EpisodeId, modality: Modality): Promise<Signature | undefined> {
    const episode = await this.#find(id)
    this.#checkModality(modality, episode.senses)
    const perceived = this.#perceived(episode)
    if (!Object.hasOwn(perceived, modality)) return undefined
    return this.#cleaned(this.modality(this.#modalities.signature(perceived)!, modality), modality)
  }

  /** @throws AgidbError `AGIDB_INVALID_ARGUMENT` for no id, `AGIDB_NOT_FOUND` for one that nothing has */
  async #find(id: EpisodeId): Promise<Episode> {
    const { limits, clock } = this.#context
    checkId('id', id, limits)
    const episode = await this.#context.find(id)
    if (episode !== undefined && !isExpired(episode, clock())) return episode
    throw new AgidbError('AGIDB_NOT_FOUND', `there is no episode with the id ${JSON.stringify(id)}`, { id })
  }

  /** The signatures of the text of an episode, and of what was perceived beside it. */
  #perceived(episode: Episode): Perceived {
    const { indexes } = this.#context
    const slot = indexes.catalog.slot(episode.id)
    const perceived = { text: indexes.encode(episode).signatures.text } as Record<Modality, Signature>
    for (const sense of episode.senses ?? []) {
      const signature = slot === undefined ? undefined : this.#arenaOf(sense)?.get(slot)
      if (signature !== undefined) perceived[sense] = signature
    }
    return perceived
  }

  /** The days on which something happened that the memory has. */
  #days(): string[] {
    const { catalog } = this.#context.indexes
    const days = new Set<number>()
    for (const slot of catalog.slots()) days.add(Math.floor(catalog.validFrom(slot) / DAY_MS))
    return [...days].map((day) => dayOf(day * DAY_MS))
  }

  /** @throws AgidbError `AGIDB_INVALID_ARGUMENT` for a modality that neither the memory nor the episode has */
  #checkModality(modality: unknown, senses: readonly SenseName[] = []): void {
    const own = ownOf(this.#context.indexes.senses)
    checkChoice('modality', modality, [...new Set(['text', ...SENSES, ...own, ...senses])])
  }

  #arenaOf(sense: SenseName): Arena | undefined {
    const { signatures, senses } = this.#context.indexes
    const space = spaceOf(sense, senses)
    return space && signatures.get(space)?.arena
  }

  /** The signature of a modality that the memory has and that is nearest to a noisy one. */
  #cleaned(noisy: Signature, modality: Modality): Signature {
    const { kernel } = this.#context.indexes
    const arena = modality === 'text' ? undefined : this.#arenaOf(modality)
    const [slot] = arena?.scan(kernel.query(noisy), 1).slots ?? []
    return (slot === undefined ? undefined : arena!.get(slot)) ?? noisy
  }
}

/** The day of a time in UTC, such as 2026-11-29. */
function dayOf(time: number): string {
  return new Date(time).toISOString().split('T')[0]
}
