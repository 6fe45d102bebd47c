import type { UnlearnRecord } from '../../src/runtimes/browser/index.js'
import { element } from '../element.js'
import { count, time } from '../format.js'
import { press } from '../mind/form.js'
import { renew } from '../mind/renew.js'
import { countsInWords, TARGETS } from './words.js'

/** Unlearnings that are shown at most, the newest. */
const SHOWN = 20

/** What was forgotten, each with a button to bring it back while that is possible. */
export class Forgotten {
  readonly element = element('div', { class: 'forgotten', hidden: '' })
  readonly #list = element('ul', { class: 'items' })
  readonly #more = element('p', { class: 'note' })
  readonly #restore: (record: UnlearnRecord) => void

  constructor(restore: (record: UnlearnRecord) => void) {
    this.#restore = restore
    this.element.append(element('h3', {}, 'What was forgotten'), this.#list, this.#more)
  }

  /** Shows records, which are in the order in which they came. */
  show(records: readonly UnlearnRecord[]): void {
    this.element.hidden = records.length === 0
    renew(
      this.#list,
      ...records
        .slice(-SHOWN)
        .reverse()
        .map((record) => this.#item(record)),
    )
    this.#more.textContent = records.length > SHOWN ? `And ${count(records.length - SHOWN)} before them.` : ''
  }

  #item(record: UnlearnRecord): HTMLLIElement {
    const { auditId, target, at, reason, state, tombstoneExpiry } = record
    return element(
      'li',
      { 'data-item': auditId },
      element(
        'div',
        { class: 'item' },
        element('span', { class: 'text' }, `${TARGETS[target]}: ${countsInWords(record).join(', ')}`),
        element('span', { class: 'stands' }, STATES[state]),
      ),
      element('p', { class: 'note' }, element('time', { datetime: at }, time(at)), ` “${reason}”`),
      state === 'restorable'
        ? element(
            'div',
            { class: 'moves' },
            press('Restore', `restore ${auditId}`, () => this.#restore(record)),
            element('span', { class: 'note' }, `possible until ${time(tombstoneExpiry)}`),
          )
        : undefined,
    )
  }
}

const STATES: Readonly<Record<UnlearnRecord['state'], string>> = {
  restorable: 'forgotten',
  restored: 'restored',
  expired: 'erased',
}
