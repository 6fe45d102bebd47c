import type { EpisodeId } from '../api/episode.js'
import type { Engine } from '../engine/engine.js'
import type { Example } from './train.js'

/** A cue and the episodes that answer it; none for a cue that nothing answers. */
export interface Judgement {
  readonly cue: string
  readonly ids: readonly EpisodeId[]
}

/** What the ranker of a database would see of each judged cue. */
export async function examplesOf(
  engine: Pick<Engine, 'consider'>,
  judgements: readonly Judgement[],
  group: string,
): Promise<Example[]> {
  const examples: Example[] = []
  for (const { cue, ids } of judgements) {
    const { ids: candidates, features } = await engine.consider(cue)
    const answers = new Set(ids)
    examples.push({
      group,
      features,
      answerable: ids.length > 0,
      right: Uint8Array.from(candidates, (id) => Number(answers.has(id))),
    })
  }
  return examples
}
