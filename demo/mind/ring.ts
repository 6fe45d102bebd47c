import type { PromotionReason, SensoryFrame, WorkingState } from '../../src/runtimes/browser/index.js'
import { element } from '../element.js'
import { counted } from '../format.js'
import { contributions, wordsOf } from './frame.js'

const REASONS: Readonly<Record<PromotionReason, string>> = {
  surprise: 'it was a surprise',
  goal: 'it bears on a goal',
  observed: 'it was told to',
}

/**
 * The frames in the buffer as marks, each as high as it was surprising, which wander out at the left within a minute.
 */
export class Ring {
  readonly element: HTMLElement
  readonly #marks = element('div', {
    class: 'marks',
    role: 'listbox',
    tabindex: '0',
    'aria-label': 'What is in the buffer',
    'aria-orientation': 'horizontal',
  })
  readonly #threshold = element(
    'div',
    { class: 'threshold', 'aria-hidden': 'true' },
    element('span', {}, 'remembered above'),
  )
  readonly #detail = element('div', { class: 'detail' })
  readonly #remember: (frame: SensoryFrame) => void
  readonly #byId = new Map<string, HTMLElement>()
  #state: WorkingState | undefined
  #chosen: string | undefined

  /** @param remember - makes an episode of a frame that was not worth one by itself */
  constructor(remember: (frame: SensoryFrame) => void) {
    this.#remember = remember
    this.element = element(
      'div',
      { class: 'ring', hidden: '' },
      element('div', { class: 'buffer' }, this.#threshold, this.#marks),
      element(
        'div',
        { class: 'axis', 'aria-hidden': 'true' },
        element('span', {}, 'a minute ago'),
        element('span', {}, 'now'),
      ),
      this.#detail,
    )
    for (const kind of ['pointermove', 'pointerdown'] as const)
      this.#marks.addEventListener(kind, (event) => this.#point(event.clientX))
    this.#marks.addEventListener('keydown', (event) => this.#step(event))
  }

  show(state: WorkingState): void {
    this.#state = state
    this.element.hidden = state.frames.length === 0
    this.#threshold.style.insetBlockEnd = `${100 * state.threshold}%`
    const now = Date.now()
    const gone = new Set(this.#byId.keys())
    for (const frame of state.frames) {
      gone.delete(frame.id)
      const mark = this.#mark(frame.id)
      mark.className = frame.promotedFor === undefined ? 'frame' : 'frame promoted'
      mark.style.blockSize = `${Math.max(3, 100 * frame.surprise)}%`
      mark.style.insetInlineStart = `${100 * this.#left(frame, now)}%`
      mark.setAttribute('aria-label', describe(frame))
    }
    for (const id of gone) {
      this.#byId.get(id)!.remove()
      this.#byId.delete(id)
    }
    const chosen =
      state.frames.some(({ id }) => id === this.#chosen) && this.#marks.matches(':hover, :focus')
        ? this.#chosen
        : state.frames.at(-1)?.id
    this.#choose(chosen)
  }

  #mark(id: string): HTMLElement {
    let mark = this.#byId.get(id)
    if (mark === undefined) {
      mark = element('div', { role: 'option', id: `mark-${id}` })
      this.#byId.set(id, mark)
      this.#marks.append(mark)
    }
    return mark
  }

  /** The share of its time that a frame still has. */
  #left({ receivedAt }: SensoryFrame, now: number): number {
    return Math.max(0, Math.min(1, 1 - (now - Date.parse(receivedAt)) / this.#state!.windowMs))
  }

  /** Chooses the frame that is nearest to a place on the screen. */
  #point(x: number): void {
    const { left, width } = this.#marks.getBoundingClientRect()
    const now = Date.now()
    const far = (frame: SensoryFrame) => Math.abs(left + width * this.#left(frame, now) - x)
    this.#choose(this.#state?.frames.toSorted((a, b) => far(a) - far(b))[0]?.id)
  }

  #step(event: KeyboardEvent): void {
    const frames = this.#state?.frames ?? []
    const at = frames.findIndex(({ id }) => id === this.#chosen)
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: frames.length - 1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    this.#choose(frames[Math.max(0, Math.min(frames.length - 1, to))]?.id)
  }

  #choose(id: string | undefined): void {
    for (const [key, mark] of this.#byId) mark.setAttribute('aria-selected', String(key === id))
    const frame = this.#state?.frames.find((candidate) => candidate.id === id)
    if (frame === undefined) return
    this.#marks.setAttribute('aria-activedescendant', `mark-${frame.id}`)
    const fresh = this.#chosen !== id || this.#detail.childElementCount === 0
    this.#chosen = id
    if (fresh || this.#detail.dataset['promoted'] !== String(frame.promotedFor)) this.#describe(frame)
    this.#detail.querySelector('.left')!.textContent =
      `${Math.ceil((this.#left(frame, Date.now()) * this.#state!.windowMs) / 1000)} s left`
  }

  /** What each sense contributed to the surprise of a frame of several; nothing of one of a single sense. */
  #senses(frame: SensoryFrame): HTMLElement[] {
    const items = contributions(frame).map(({ name, surprise, counts }) =>
      element('li', {}, element(counts ? 'strong' : 'span', {}, `${name} ${surprise.toFixed(2)}`)),
    )
    const about = { class: 'byline senses', 'aria-label': 'How surprising it was to each sense' }
    return items.length === 0 ? [] : [element('ul', about, ...items)]
  }

  #describe(frame: SensoryFrame): void {
    this.#detail.dataset['promoted'] = String(frame.promotedFor)
    const keep = element('button', { type: 'button', class: 'small' }, 'Remember it')
    keep.addEventListener('click', () => this.#remember(frame))
    this.#detail.replaceChildren(
      element('p', { class: 'text' }, wordsOf(frame)),
      element(
        'p',
        { class: 'byline' },
        frame.speaker === undefined ? undefined : element('strong', {}, frame.speaker),
        element('span', {}, `surprise ${frame.surprise.toFixed(2)}`),
        element('span', {}, `like a goal ${frame.goalRelevance.toFixed(2)}`),
        element('span', { class: 'left' }),
        frame.promotedFor === undefined
          ? keep
          : element('span', { class: 'why-kept' }, `remembered: ${REASONS[frame.promotedFor]}`),
      ),
      ...this.#senses(frame),
    )
  }
}

function describe(frame: SensoryFrame): string {
  const { surprise, promotedFor } = frame
  const each = contributions(frame).map((one) => `${one.name} ${inPercent(one.surprise)}`)
  const parts = each.length === 0 ? '' : ` (${each.join(', ')})`
  const kept = promotedFor === undefined ? '' : `, remembered because ${REASONS[promotedFor]}`
  return `${wordsOf(frame)}: surprise ${inPercent(surprise)}${parts}${kept}`
}

function inPercent(share: number): string {
  return counted(Math.round(100 * share), 'percent', 'percent')
}
