import { checkChoice } from '../../api/check.js'
import type { Equipment, Model, Ranker } from '../../api/ranker.js'
import { Forest } from './forest.js'
import { unpack } from './packed.js'
import { free } from './tables/free.js'
import { FEATURES } from './features.js'

/** What there is to rank by, beside words and signatures of texts. */
export interface RankedBy {
  readonly codebook: boolean
  /** Whether a sentence encoder has encoded the cue. Default false. */
  readonly encoder?: boolean
}

/** Finds the models of the ranker `free` that come with a codebook; `undefined` for one that cannot be had. */
export type LateModels = (equipment: Exclude<Equipment, 'plain'>) => Model | undefined

/**
 * The trees by which a database ranks; `undefined` for the unlearned fusion.
 *
 * @param choice what was given to `open`; a ranker must have been checked by `checkRanker`.
 * @param by the model trained for just that is taken; else one that needs less, or one that needs more.
 * @param lateModels absent: the model of `free` for memories without a codebook ranks all.
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT` for an unknown name.
 */
export function forestFor(choice: Ranker | string = 'free', by: RankedBy, lateModels?: LateModels): Forest | undefined {
  if (choice === 'fusion') return undefined
  if (typeof choice === 'string') {
    checkChoice('ranker', choice, ['free', 'fusion'])
    const modelOf = (name: Equipment) => (name === 'plain' ? unpack(free.plain) : lateModels?.(name))
    return new Forest(free.name, firstOf(by, modelOf)!, FEATURES, free.script)
  }
  const model = firstOf(by, (name) => choice.models[name])
  return model && new Forest(choice.name, model, FEATURES, choice.script)
}

function firstOf({ codebook, encoder }: RankedBy, modelOf: (name: Equipment) => Model | undefined): Model | undefined {
  const order: Equipment[] = !codebook
    ? ['plain', 'codebook', 'encoder']
    : encoder
      ? ['encoder', 'codebook', 'plain']
      : ['codebook', 'plain', 'encoder']
  for (const name of order) {
    const model = modelOf(name)
    if (model !== undefined) return model
  }
  return undefined
}
