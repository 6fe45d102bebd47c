import type { Agidb, Match, Stats } from '../../src/runtimes/browser/index.js'
import { byId, element } from '../element.js'
import { conceptsPanel, type ConceptsPanel } from '../concepts/panel.js'
import { documentsPanel } from '../documents/panel.js'
import { forgetPanel, type ForgetPanel } from '../forget/panel.js'
import { count } from '../format.js'
import { beliefsPanel } from './beliefs.js'
import { bearing } from './bearing.js'
import { goalsPanel } from './goals.js'
import { knowledgePanel } from './knowledge.js'
import type { Answer, Panel, Setting } from './panel.js'
import { proceduresPanel } from './procedures.js'
import { selfPanel } from './self.js'
import { sensesPanel } from './senses.js'
import { workingPanel } from './working.js'

/** The floors of the mind beside its memories: a row of names, each of which opens its panel. */
export class Mind {
  readonly #db: Agidb
  readonly #report: (error?: unknown) => void
  readonly #held: (stats: Stats) => void
  readonly #panels: readonly Panel[]
  readonly #forget: ForgetPanel
  readonly #concepts: ConceptsPanel
  readonly #tabs = new Map<string, { readonly button: HTMLButtonElement; readonly place: HTMLElement }>()
  readonly #bearing = byId('bearing', HTMLElement)
  #answer: Answer | undefined
  #open: Panel | undefined

  /**
   * @param report - says what went wrong; called without an error before something is done
   * @param held - takes what the memory holds whenever that was looked up
   * @param again - asks the last question once more and shows all of the memory anew
   */
  constructor(db: Agidb, report: (error?: unknown) => void, held: (stats: Stats) => void, again: () => Promise<void>) {
    this.#db = db
    this.#report = report
    this.#held = held
    const answer = () => this.#answer
    const setting: Setting = {
      db,
      again,
      get answer() {
        return answer()
      },
      act: async (work) => {
        report()
        try {
          await work()
          return true
        } catch (error) {
          report(error)
          return false
        } finally {
          await this.show().catch(report)
        }
      },
    }
    this.#forget = forgetPanel(setting)
    this.#concepts = conceptsPanel(setting)
    this.#panels = [
      sensesPanel(setting),
      workingPanel(setting),
      this.#concepts,
      documentsPanel(setting),
      knowledgePanel(setting),
      goalsPanel(setting),
      beliefsPanel(setting),
      proceduresPanel(setting),
      selfPanel(setting),
      this.#forget,
    ]
    byId('floors', HTMLElement).replaceChildren(...this.#panels.map((panel) => this.#tab(panel)))
    byId('mind', HTMLElement).append(...Array.from(this.#tabs.values(), ({ place }) => place))
    byId('mind', HTMLElement).hidden = false
  }

  /** The last answer. */
  get answer(): Answer | undefined {
    return this.#answer
  }

  /**
   * Takes what was recalled: what bears on the question is shown, and the open panel goes by it.
   */
  async answered(answer: Answer): Promise<void> {
    this.#answer = answer
    this.#bearing.replaceChildren(
      ...bearing(answer.recall, (name) => {
        this.#tabs.get(name)!.button.focus()
        void this.#toggle(name, true).catch(this.#report)
      }),
    )
    this.#bearing.hidden = this.#bearing.childElementCount === 0
    await this.show()
  }

  /** Opens the panel of concepts, with everything about one of them. */
  async about(name: string): Promise<void> {
    await this.#toggle(this.#concepts.name, true)
    await this.#concepts.open(name)
  }

  /** Opens the panel that forgets, with a match picked. */
  async forget(match: Match): Promise<void> {
    await this.#toggle(this.#forget.name, true)
    await this.#forget.pick(match)
  }

  /** Shows the open panel, and how many things the others hold, as they are now. */
  async show(): Promise<void> {
    const stats = await this.#db.stats()
    this.#held(stats)
    for (const panel of this.#panels) {
      const number = this.#tabs.get(panel.name)!.button.querySelector('.number')
      const things = panel.count?.(stats) ?? 0
      if (number !== null) number.textContent = things === 0 ? '' : count(things)
    }
    await this.#open?.show()
  }

  #tab(panel: Panel): HTMLElement {
    const id = `floor-${panel.name.toLowerCase().replace(' ', '-')}`
    const button = element(
      'button',
      { type: 'button', 'aria-expanded': 'false', 'aria-controls': id },
      panel.name,
      element('span', { class: 'number' }),
    )
    const place = element(
      'section',
      { id, class: 'floor', 'aria-label': panel.name, hidden: '' },
      element('p', { class: 'about' }, panel.about),
      ...panel.body,
    )
    this.#tabs.set(panel.name, { button, place })
    button.addEventListener('click', () => void this.#toggle(panel.name).catch(this.#report))
    return element('li', {}, button)
  }

  /** Opens a panel and closes the one that was open, or only closes it. */
  async #toggle(name?: string, open = this.#open?.name !== name): Promise<void> {
    this.#open?.hide?.()
    this.#open = open ? this.#panels.find((panel) => panel.name === name) : undefined
    for (const [key, { button, place }] of this.#tabs) {
      const is = key === this.#open?.name
      button.setAttribute('aria-expanded', String(is))
      place.hidden = !is
    }
    await this.show()
  }
}
