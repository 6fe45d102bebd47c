import { readFileSync } from 'node:fs'
import type { OpenOptions } from '../api/open-options.js'
import { AgidbError } from '../base/errors.js'
import type { Ranker } from '../api/ranker.js'
import { locomo } from '../recall/ranking/tables/locomo.js'

/**
 * What `--ranker` names: one that comes with the package, or a file that `agidb train` wrote.
 *
 * @throws AgidbError `AGIDB_NOT_FOUND` when there is no such file, `AGIDB_RANKER` when it is no JSON.
 */
export function rankerOf(choice: string): NonNullable<OpenOptions['ranker']> {
  if (choice === 'free' || choice === 'fusion') return choice
  if (choice === 'locomo') return locomo
  let text: string
  try {
    text = readFileSync(choice, 'utf8')
  } catch (cause) {
    const message =
      `there is no ranker ${choice}: give free, locomo, fusion, or a file that agidb train wrote ` +
      `(${(cause as Error).message})`
    throw new AgidbError('AGIDB_NOT_FOUND', message, { path: choice }, { cause })
  }
  try {
    return JSON.parse(text) as Ranker // checked when it is opened with
  } catch (cause) {
    throw new AgidbError(
      'AGIDB_RANKER',
      `${choice} is no ranker: it is no JSON (${(cause as Error).message})`,
      { path: choice },
      { cause },
    )
  }
}
