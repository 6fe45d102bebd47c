import type { ExpireReport, UnlearnRecord } from '../../api/forgetting.js'
import { greatest } from '../../base/extremes.js'
import { element } from '../dom/element.js'
import { counted, time } from '../dom/format.js'
import type { Desk } from '../view.js'
import { countsInWords, TARGETS } from './words.js'

/** Unlearnings that the dialog names at most, the newest. */
const NAMED = 20

/** What was forgotten and can still be brought back. */
export const restorable = (records: readonly UnlearnRecord[]): UnlearnRecord[] =>
  records.filter(({ state }) => state === 'restorable')

/**
 * Shows what was forgotten and can still be brought back, and erases it when the person says so. What another tab
 * forgets meanwhile was not shown, and stays.
 */
export async function erase(desk: Desk): Promise<void> {
  const records = restorable(await desk.db.unlearnHistory(0))
  if (records.length === 0) return desk.say('There is nothing left to erase.')
  const windowsEnd = new Date(greatest(records.map(({ tombstoneExpiry }) => Date.parse(tombstoneExpiry))))
  let report: ExpireReport | undefined
  const dialog = desk.ask({
    title: 'Erase what was forgotten',
    yes: 'Erase it now',
    isDanger: true,
    body: [
      element('p', {}, 'This is erased, and can never be brought back:'),
      element('ul', { class: 'cascade' }, ...named(records)),
      element(
        'p',
        { class: 'note' },
        'Files that were exported before still have it, and a browser may keep what it deleted for a while.',
      ),
    ],
    act: async () => {
      report = await desk.db.expire(windowsEnd)
    },
  })
  if (!(await dialog.done) || report === undefined) return
  desk.say(`Erased for good: ${counted(report.records, 'record', 'records')}.`)
}

function named(records: readonly UnlearnRecord[]): HTMLElement[] {
  const newest = records.slice(-NAMED).reverse()
  const left = records.length - newest.length
  return [
    ...newest.map(({ target, at, reason, ...counts }) =>
      element(
        'li',
        {},
        `${TARGETS[target]}: ${countsInWords(counts)}`,
        element('p', { class: 'note' }, `${time(at)}, “${reason}”`),
      ),
    ),
    ...(left === 0 ? [] : [element('li', { class: 'note' }, `and ${counted(left, 'other', 'others')} before`)]),
  ]
}
