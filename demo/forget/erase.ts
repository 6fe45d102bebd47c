import type { Agidb, ExpireReport, UnlearnRecord } from '../../src/runtimes/browser/index.js'
import { element } from '../element.js'
import { counted, time } from '../format.js'
import { countsInWords, TARGETS } from './words.js'

/** Unlearnings that the dialog names at most, the newest. */
const NAMED = 20

/**
 * Asks in a dialog, which names what was forgotten and can still be restored; and erases that, if the person says so.
 * What another tab forgets meanwhile was not shown, and stays.
 *
 * @returns what was erased; `undefined` where the person keeps it
 */
export async function erase(db: Agidb, records: readonly UnlearnRecord[]): Promise<ExpireReport | undefined> {
  const windowsEnd = Math.max(...records.map(({ tombstoneExpiry }) => Date.parse(tombstoneExpiry)))
  return (await confirmed(records)) ? db.expire(windowsEnd) : undefined
}

/** Whether the person wants it. When the dialog closes, the browser gives the focus back. */
async function confirmed(records: readonly UnlearnRecord[]): Promise<boolean> {
  const yes = element('button', { value: 'erase', class: 'danger' }, 'Erase it now')
  const no = element('button', { value: '', class: 'quiet', autofocus: '' }, 'Keep it')
  const dialog = element(
    'dialog',
    { class: 'erase', 'aria-labelledby': 'erase-title' },
    element(
      'form',
      { method: 'dialog' },
      element('h2', { id: 'erase-title' }, 'Erase what was forgotten?'),
      element('p', {}, 'This is erased, and can never be restored:'),
      element('ul', {}, ...named(records)),
      element(
        'p',
        { class: 'note' },
        'Files that were exported before still have it, and the browser may keep what it deleted for a while.',
      ),
      element('div', { class: 'moves' }, yes, no),
    ),
  )
  document.body.append(dialog)
  const closed = new Promise((resolve) => dialog.addEventListener('close', resolve, { once: true }))
  dialog.showModal()
  await closed
  dialog.remove()
  return dialog.returnValue === 'erase'
}

function named(records: readonly UnlearnRecord[]): HTMLElement[] {
  const newest = records.slice(-NAMED).reverse()
  const left = records.length - newest.length
  return [
    ...newest.map(({ target, at, reason, ...counts }) =>
      element(
        'li',
        {},
        `${TARGETS[target]}: ${countsInWords(counts).join(', ')}`,
        element('p', { class: 'note' }, `${time(at)}, “${reason}”`),
      ),
    ),
    ...(left === 0 ? [] : [element('li', { class: 'note' }, `And ${counted(left, 'other', 'others')} before them.`)]),
  ]
}
