import { checkNumber, invalid } from '../../api/check.js'
import type { OpenOptions } from '../../api/open-options.js'
import { DEFAULT_TRUST, LEAST_TRUST, MOST_TRUST } from './bayes.js'

/** How far what a source says is right. */
export type SourceTrust = (source: string | undefined) => number

/**
 * The trust in each source, as the option `sourceTrust` has it; `*` is for all that it does not name.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT` if it is no plain object of numbers from 0.5 to 0.99.
 */
export function checkTrust(sourceTrust: OpenOptions['sourceTrust'] = {}): SourceTrust {
  if (typeof sourceTrust !== 'object' || sourceTrust === null || Array.isArray(sourceTrust)) {
    throw invalid('sourceTrust must be an object of numbers from 0.5 to 0.99 by the name of the source', {
      option: 'sourceTrust',
    })
  }
  for (const [source, trust] of Object.entries(sourceTrust))
    checkNumber(`sourceTrust[${JSON.stringify(source)}]`, trust, LEAST_TRUST, MOST_TRUST)
  const bySource = new Map(Object.entries(sourceTrust))
  const others = bySource.get('*') ?? DEFAULT_TRUST
  return (source) => (source === undefined ? others : (bySource.get(source) ?? others))
}
