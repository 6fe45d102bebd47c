import { checkChoice } from '../../api/check.js'
import type { Equipment, Model, Ranker } from '../../api/ranker.js'
import { Forest } from './forest.js'
import { unpack } from './packed.js'
import { free } from './tables/free.js'
import { FEATURES } from './features.js'

/**
 * The trees by which a database ranks; `undefined` for the unlearned fusion.
 *
 * @param choice what was given to `open`; a ranker must have been checked by `checkRanker`.
 * @param equipment what the database has: the model trained for that is taken, or the one that needs less.
 * @param codebookModel the model of `free` for memories with a codebook. Absent: its other model ranks those, too.
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT` for an unknown name.
 */
export function forestFor(
  choice: Ranker | string = 'free',
  equipment: { readonly codebook: boolean },
  codebookModel?: () => Model | undefined,
): Forest | undefined {
  if (choice === 'fusion') return undefined
  if (typeof choice === 'string') {
    checkChoice('ranker', choice, ['free', 'fusion'])
    const model = (equipment.codebook ? codebookModel?.() : undefined) ?? unpack(free.plain)
    return new Forest(free.name, model, FEATURES, free.script)
  }
  const order: Equipment[] = equipment.codebook ? ['codebook', 'plain'] : ['plain', 'codebook']
  const model = order.map((name) => choice.models[name]).find((model) => model !== undefined)
  return model && new Forest(choice.name, model, FEATURES, choice.script)
}
