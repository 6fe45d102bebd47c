import { checkChoice } from '../core/check.js'
import type { Equipment, Ranker } from '../core/ranker.js'
import { checkRanker } from '../ranker/check.js'
import { Forest } from '../ranker/forest.js'
import { FREE } from '../ranker/tables/free.js'
import { LOCOMO } from '../ranker/tables/locomo.js'
import { FEATURES } from './features.js'

const SHIPPED = { free: FREE, locomo: LOCOMO }

/**
 * The trees by which a database ranks; `undefined` for the unlearned fusion.
 *
 * @param choice what was given to `open`.
 * @param equipment what the database has: the model trained for that is taken, or the one that needs less.
 * @throws AgidbError `AGIDB_RANKER` for a ranker that cannot be used, `AGIDB_INVALID_ARGUMENT` for an unknown name.
 */
export function forestFor(choice: unknown = 'free', equipment: { readonly codebook: boolean }): Forest | undefined {
  if (choice === 'fusion') return undefined
  const ranker = typeof choice === 'string' ? shipped(choice) : checkRanker(choice, FEATURES)
  const order: Equipment[] = equipment.codebook ? ['codebook', 'plain'] : ['plain', 'codebook']
  const model = order.map((name) => ranker.models[name]).find((model) => model !== undefined)
  return model && new Forest(ranker.name, model, FEATURES, ranker.script)
}

function shipped(name: string): Ranker {
  checkChoice('ranker', name, ['free', 'locomo', 'fusion'])
  return JSON.parse(SHIPPED[name as keyof typeof SHIPPED]) as Ranker
}
