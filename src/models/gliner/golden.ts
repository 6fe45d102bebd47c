import { AgidbError } from '../../base/errors.js'
import type { GlinerModel } from './model.js'
import type { GoldenText } from './options.js'
import { read, type Wanted } from './read.js'

/**
 * Checks that a model finds in some texts what it must.
 *
 * @throws AgidbError `AGIDB_EXTRACTOR` that names the first text in which it finds others
 */
export async function checkGolden(model: GlinerModel, golden: readonly GoldenText[], wanted: Wanted): Promise<void> {
  for (const [i, { text, entities }] of golden.entries()) {
    const { entities: found } = await read(model, text, { ...wanted, relations: [] })
    const [is, expected] = [told(found), told(entities)]
    if (is === expected) continue
    throw new AgidbError(
      'AGIDB_EXTRACTOR',
      `the model finds ${is} in golden[${i}], where ${expected} must be found; ` +
        'it is another model, or runs wrongly here: give the files that golden was written for',
      { golden: i, found: is, expected },
    )
  }
}

function told(entities: GoldenText['entities']): string {
  return entities.map(({ text, type }) => `${type.toLowerCase()} ${JSON.stringify(text)}`).join(', ') || 'nothing'
}
