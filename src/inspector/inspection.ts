import type { MemoryChange } from '../api/change.js'
import type { EpisodeId } from '../api/episode.js'
import type { Database } from '../api/scope.js'
import { ask, type Question } from './dom/dialog.js'
import { button, element } from './dom/element.js'
import { bytes, counted, problem } from './dom/format.js'
import { Beliefs } from './floors/beliefs.js'
import { Documents } from './floors/documents.js'
import { Goals } from './floors/goals.js'
import { forget } from './forget/forget.js'
import { Forgotten } from './forget/view.js'
import { Health } from './health/view.js'
import { Memories } from './memories/view.js'
import { Tabs } from './tabs.js'
import type { Desk, Offer, View } from './view.js'

/** Changes that nothing which is shown follows from. */
const IGNORED: ReadonlySet<string> = new Set([
  'sensoryFrameSeen',
  'recallsLearned',
  'attentionTraced',
  'entriesAccessed',
])
/** Changes that come within this time are shown together. In milliseconds. */
const TOGETHER = 150

/** What an inspection is given. */
export interface InspectionSetting {
  readonly root: ShadowRoot
  readonly db: Database
  /** What exported files are called. */
  readonly name: string
  readonly isReadOnly: boolean
}

/** One memory while it is inspected: the views, the messages, and what keeps them in step with the memory. */
export class Inspection {
  readonly memories: Memories
  readonly #root: ShadowRoot
  readonly #db: Database
  readonly #desk: Desk
  readonly #ending = new AbortController()
  readonly #holds = element('p', { class: 'holds', part: 'stats' })
  readonly #message = element('div', { class: 'message', part: 'message', role: 'status' })
  readonly #wrong = element('div', { class: 'message wrong', part: 'message', role: 'alert' })
  readonly #tabs: Tabs
  /** Changes that a view has not shown yet; `undefined` where it was never shown. */
  readonly #unseen = new Map<View, MemoryChange[]>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #showing: Promise<unknown> = Promise.resolve()

  constructor({ root, db, name, isReadOnly }: InspectionSetting) {
    this.#root = root
    this.#db = db
    this.#desk = {
      db,
      isReadOnly,
      signal: this.#ending.signal,
      say: (message, offer) => this.#say(message, offer),
      act: (doing) => this.#act(doing),
      ask: (question: Question) => ask(root, question),
      open: (id) => this.open(id),
      forget: (id) => void this.#act(() => forget(this.#desk, id)),
    }
    const desk = this.#desk
    this.memories = new Memories(desk)
    const views = [
      this.memories,
      new Beliefs(desk),
      new Goals(desk),
      new Documents(desk),
      new Forgotten(desk),
      new Health(desk, name),
    ]
    this.#tabs = new Tabs(views, () => this.#show())
    const unsubscribe = db.subscribe((change) => {
      if (IGNORED.has(change.kind)) return
      for (const changes of this.#unseen.values()) changes.push(change)
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined
        this.#show()
      }, TOGETHER)
    })
    this.#ending.signal.addEventListener('abort', unsubscribe)
  }

  /** Begins: puts the parts into the shadow root, and shows the first view. */
  begin(): void {
    this.#root.replaceChildren(
      element('header', { class: 'top', part: 'header' }, element('h1', {}, 'Memory'), this.#holds),
      this.#tabs.list,
      ...this.#tabs.panels,
      this.#message,
      this.#wrong,
    )
    this.#show()
  }

  /** Opens a memory. */
  open(id: EpisodeId): void {
    this.#tabs.choose(this.memories)
    void this.memories.open(id)
  }

  /** Searches for a cue. */
  search(cue: string): void {
    this.#tabs.choose(this.memories)
    this.memories.search(cue)
  }

  /** Ends: nothing is asked for any more. */
  end(): void {
    clearTimeout(this.#timer)
    this.#ending.abort()
  }

  /** Shows what the view in sight has not shown yet. One showing follows the other. */
  #show(): void {
    this.#showing = this.#showing.then(async () => {
      if (this.#ending.signal.aborted) return
      const { view } = this.#tabs
      const changes = this.#unseen.get(view)
      this.#unseen.set(view, [])
      if (changes?.length === 0) return
      const isShown = await this.#act(async () => {
        const { episodes, bytes: stored, durability } = await this.#db.stats()
        this.#holds.textContent = `${counted(episodes, 'memory', 'memories')}, ${bytes(stored)}, ${durability}`
        await view.show(changes)
      })
      // It is shown again with the next change, or when it is chosen again.
      if (!isShown && changes === undefined) this.#unseen.delete(view)
      else if (!isShown) this.#unseen.get(view)?.unshift(...changes!)
    })
  }

  #say(message: string, offer?: Offer): void {
    this.#wrong.replaceChildren()
    const close = () => {
      // A button that goes must not take the focus with it.
      const hadFocus = this.#message.contains(this.#root.activeElement)
      this.#message.replaceChildren()
      if (hadFocus) this.#tabs.focus()
    }
    this.#message.replaceChildren(
      element('span', {}, message),
      ...(offer === undefined
        ? []
        : [
            button(offer.label, 'offer', () => {
              close()
              offer.act()
            }),
          ]),
      button('Dismiss', 'dismiss', close, { class: 'quiet' }),
    )
  }

  async #act(doing: () => Promise<unknown>): Promise<boolean> {
    try {
      this.#wrong.replaceChildren()
      await doing()
      return true
    } catch (error) {
      const isOver = this.#ending.signal.aborted
      if (!isOver)
        this.#wrong.replaceChildren(
          element('span', {}, problem(error)),
          button('Dismiss', 'dismiss-wrong', () => this.#wrong.replaceChildren(), { class: 'quiet' }),
        )
      return false
    }
  }
}
