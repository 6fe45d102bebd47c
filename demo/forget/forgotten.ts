import type { UnlearnRecord } from '../../src/runtimes/browser/index.js'
import { element } from '../element.js'
import { count, time } from '../format.js'
import { press } from '../mind/form.js'
import { renew } from '../mind/renew.js'
import { countsInWords, TARGETS } from './words.js'

/** Unlearnings that are shown at most, the newest. */
const SHOWN = 20

/** What was forgotten, each with a button to bring it back while that is possible; and one that erases all of it. */
export class Forgotten {
  readonly element = element('div', { class: 'forgotten', hidden: '' })
  readonly #list = element('ul', { class: 'items' })
  readonly #more = element('p', { class: 'note' })
  readonly #restore: (record: UnlearnRecord) => void
  readonly #erase: HTMLElement
  #restorable: readonly UnlearnRecord[] = []

  /**
   * @param restore - brings one back
   * @param erase - erases those that can still be restored
   */
  constructor(restore: (record: UnlearnRecord) => void, erase: (records: readonly UnlearnRecord[]) => void) {
    this.#restore = restore
    this.#erase = element(
      'div',
      { class: 'moves', hidden: '' },
      press('Erase all of it now …', 'erase', () => erase(this.#restorable)),
    )
    this.element.append(element('h3', {}, 'What was forgotten'), this.#list, this.#more, this.#erase)
  }

  /** Shows records, which are in the order in which they came. */
  show(records: readonly UnlearnRecord[]): void {
    this.element.hidden = records.length === 0
    this.#restorable = records.filter(({ state }) => state === 'restorable')
    this.#erase.hidden = this.#restorable.length === 0
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
