import type { UnlearnRecord, UnlearnState } from '../../api/forgetting.js'
import { button, element } from '../dom/element.js'
import { day, time } from '../dom/format.js'
import { Paged } from '../dom/paged.js'
import { renew } from '../dom/renew.js'
import type { Desk, View } from '../view.js'
import { erase, restorable } from './erase.js'
import { restore } from './forget.js'
import { countsInWords, TARGETS } from './words.js'

const STATES: Readonly<Record<UnlearnState, (record: UnlearnRecord) => string>> = {
  restorable: ({ tombstoneExpiry }) => `can be brought back until ${day(tombstoneExpiry)}`,
  restored: () => 'brought back',
  expired: () => 'erased for good',
}

/** What was forgotten, and can be brought back. */
export class Forgotten implements View {
  readonly name = 'Forgotten'
  readonly element = element('div', { class: 'page' })
  readonly #desk: Desk
  readonly #list = element('ul', { class: 'items', 'aria-label': 'Forgotten' })
  readonly #erase: HTMLElement
  readonly #paged = new Paged(() => void this.#desk.act(() => this.show()))

  constructor(desk: Desk) {
    this.#desk = desk
    this.#erase = element(
      'div',
      { class: 'moves', hidden: '' },
      button('Erase all of it now …', 'erase', () => void desk.act(() => this.#eraseNow()), { class: 'danger' }),
    )
    this.element.append(
      element(
        'p',
        { class: 'note' },
        'What was forgotten is erased for good when its time is over, or at once if you say so. Its record stays.',
      ),
      this.#erase,
      this.#list,
    )
  }

  async show(): Promise<void> {
    const records = (await this.#desk.db.unlearnHistory(0)).reverse()
    this.#erase.hidden = this.#desk.isReadOnly || restorable(records).length === 0
    const items = records.slice(0, this.#paged.shown).map((record) => this.#item(record))
    renew(
      this.#list,
      ...(items.length === 0 ? [element('li', { class: 'nothing' }, 'Nothing was forgotten.')] : items),
      this.#more(records.length),
    )
  }

  async #eraseNow(): Promise<void> {
    await erase(this.#desk)
    await this.show()
    // The button that was pressed is gone where nothing is left to erase.
    if (!this.#erase.hidden) return
    this.#list.tabIndex = -1
    this.#list.focus({ preventScroll: true })
  }

  #more(of: number): HTMLElement | undefined {
    const more = this.#paged.more(of)
    return more && element('li', {}, more)
  }

  #item(record: UnlearnRecord): HTMLElement {
    const { auditId, target, at, reason, state } = record
    return element(
      'li',
      { class: `item ${state}`, 'data-item': auditId, tabindex: '-1' },
      element('p', { class: 'text' }, `${TARGETS[target]}: ${countsInWords(record)}`),
      element('p', { class: 'note' }, `${time(at)}, “${reason}”, ${STATES[state](record)}.`),
      state !== 'restorable' || this.#desk.isReadOnly
        ? undefined
        : element(
            'div',
            { class: 'moves' },
            button('Bring back', `restore ${auditId}`, () => void restore(this.#desk, auditId)),
          ),
    )
  }
}
