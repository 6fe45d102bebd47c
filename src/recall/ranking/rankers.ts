import { checkChoice } from '../../api/check.js'
import type { Equipment, Model } from '../../api/ranker.js'
import { checkRanker } from './check.js'
import { Forest } from './forest.js'
import { unpack } from './packed.js'
import { free } from './tables/free.js'
import { FEATURES } from './features.js'

/**
 * The trees by which a database ranks; `undefined` for the unlearned fusion.
 *
 * @param choice what was given to `open`.
 * @param equipment what the database has: the model trained for that is taken, or the one that needs less.
 * @param codebookModel the model of `free` for memories with a codebook. Absent: its other model ranks those, too.
 * @throws AgidbError `AGIDB_RANKER` for a ranker that cannot be used, `AGIDB_INVALID_ARGUMENT` for an unknown name.
 */
export function forestFor(
  choice: unknown = 'free',
  equipment: { readonly codebook: boolean },
  codebookModel?: () => Model | undefined,
): Forest | undefined {
  if (choice === 'fusion') return undefined
  if (typeof choice === 'string') checkChoice('ranker', choice, ['free', 'fusion'])
  if (choice === 'free') {
    const model = (equipment.codebook ? codebookModel?.() : undefined) ?? unpack(free.plain)
    return new Forest(free.name, model, FEATURES, free.script)
  }
  const ranker = checkRanker(choice, FEATURES)
  const order: Equipment[] = equipment.codebook ? ['codebook', 'plain'] : ['plain', 'codebook']
  const model = order.map((name) => ranker.models[name]).find((model) => model !== undefined)
  return model && new Forest(ranker.name, model, FEATURES, ranker.script)
}
