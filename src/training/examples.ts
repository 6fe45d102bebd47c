import type { EpisodeId } from '../api/episode.js'
import type { Engine } from '../engine/engine.js'
import type { Example } from './train.js'

/** A cue and the episodes that answer it; none for a cue that nothing answers. */
export interface Judgement {
  readonly cue: string
  readonly ids: readonly EpisodeId[]
}

/** What the ranker of a database would see of each judged cue. */
export function examplesOf(engine: Engine, judgements: readonly Judgement[], group: string): Example[] {
  return judgements.map(({ cue, ids }) => {
    const { ids: candidates, features } = engine.consider(cue)
    const answers = new Set(ids)
    return {
      group,
      features,
      answerable: ids.length > 0,
      right: Uint8Array.from(candidates, (id) => Number(answers.has(id))),
    }
  })
}
