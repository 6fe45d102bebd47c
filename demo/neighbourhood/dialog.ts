import type { Agidb, Episode, GraphNeighbour, Match, WhyStep } from '../../src/runtimes/browser/index.js'
import { element } from '../element.js'
import { counted, percent } from '../format.js'
import { press } from '../mind/form.js'
import { said, short } from '../mind/said.js'
import { drawing, LINE_KINDS, type LineKind } from './drawing.js'
import { RovingList } from './list.js'
import { Picture, type Colours } from './picture.js'
import { told } from './told.js'

/** Neighbours that are shown. */
const SHOWN = 16
/** Characters of a text that stands beside its node. */
const LABEL = 34

/** What the legend says of a kind of line. */
const LEGEND: Readonly<Record<LineKind, string>> = {
  forward: 'came next',
  backward: 'came before',
  association: 'often together',
  entity: 'names it',
  word: 'says it',
  relation: 'is said of both',
  pageRank: 'near by all ways',
}
/** The kinds that a person can leave out. */
const CHOSEN = ['forward', 'backward', 'association', 'entity'] as const

/** The neighbourhood of an episode: a picture, a list that the keyboard goes through, and how a match was found. */
export class Neighbourhood {
  readonly #db: Agidb
  readonly #report: (error: unknown) => void
  readonly #dialog: HTMLDialogElement
  readonly #centre = element('section', { class: 'centre', 'aria-label': 'In the middle' })
  readonly #path = element('p', { class: 'path' })
  readonly #status = element('p', { class: 'note', role: 'status' })
  readonly #back: HTMLButtonElement
  readonly #legend: HTMLFieldSetElement
  readonly #list: RovingList
  readonly #picture: Picture
  readonly #far = element('input', { type: 'checkbox' })
  readonly #boxes = new Map<LineKind, HTMLInputElement>()
  readonly #swatches = new Map<LineKind, HTMLElement>()
  /** Episodes that were in the middle, the last of them now. */
  #trail: string[] = []
  /** The match that it was opened for, and how it was found. */
  #found: { readonly id: string; readonly why: readonly WhyStep[] } = { id: '', why: [] }
  /** A later showing takes over. */
  #showing = 0

  constructor(db: Agidb, report: (error: unknown) => void) {
    this.#db = db
    this.#report = report
    const canvas = element('div', { class: 'picture', 'aria-hidden': 'true' })
    this.#picture = new Picture(canvas, (id) => this.#go(id))
    this.#list = new RovingList(
      'Neighbours',
      (id) => this.#picture.mark(id),
      (id) => this.#go(id),
    )
    this.#back = press('Back', 'back', () => {
      this.#trail.pop()
      void this.#show(true)
    })
    const close = press('Close', 'close', () => this.#dialog.close())
    this.#legend = element(
      'fieldset',
      { class: 'legend' },
      element('legend', {}, 'Lines'),
      ...this.#kinds(),
      element('label', {}, this.#far, 'two steps away'),
    )
    this.#far.addEventListener('change', () => void this.#show(false))
    this.#dialog = element(
      'dialog',
      { class: 'neighbourhood', 'aria-labelledby': 'neighbourhood-title' },
      element('header', {}, element('h2', { id: 'neighbourhood-title' }, 'What is near it'), this.#back, close),
      this.#centre,
      this.#path,
      this.#legend,
      element('div', { class: 'both' }, canvas, element('div', {}, this.#status, this.#list.element)),
    )
    this.#dialog.addEventListener('close', () => this.#picture.close())
    document.body.append(this.#dialog)
    new ResizeObserver(() => this.#picture.fit()).observe(canvas)
  }

  /** Opens it with a match in the middle. */
  async open({ id, why = [] }: Match): Promise<void> {
    this.#found = { id, why }
    this.#trail = [id]
    if (!this.#dialog.open) this.#dialog.showModal()
    await this.#show(true)
  }

  #go(id: string): void {
    if (id === this.#trail[this.#trail.length - 1]) return
    this.#trail.push(id)
    void this.#show(true)
  }

  /** Shows what is in the middle now. What goes wrong is said behind the dialog, which closes. */
  async #show(isNew: boolean): Promise<void> {
    try {
      await this.#draw(isNew)
    } catch (error) {
      this.#dialog.close()
      this.#report(error)
    }
  }

  async #draw(isNew: boolean): Promise<void> {
    const showing = ++this.#showing
    const centre = this.#trail[this.#trail.length - 1]
    const kinds = CHOSEN.filter((kind) => this.#boxes.get(kind)!.checked)
    const depth = this.#far.checked ? 2 : 1
    const neighbours = kinds.length === 0 ? [] : await this.#db.graph.neighbours(centre, { depth, k: SHOWN, kinds })
    const why = centre === this.#found.id ? this.#found.why : []
    const episodes = await this.#episodesOf([centre, ...ends(why), ...neighbours.flatMap((one) => ends(one.why))])
    // Meanwhile something else was asked for, or what was in the middle has been forgotten.
    if (showing !== this.#showing) return
    const isEpisode = (id: string) => episodes.has(id)
    const middle = episodes.get(centre)
    this.#centre.replaceChildren(middle === undefined ? 'This memory is not there any more.' : said(middle))
    this.#path.hidden = why.length === 0
    this.#path.textContent = `Found by way of another memory, which is drawn: ${pathOf(why, episodes)}`
    this.#back.disabled = this.#trail.length < 2
    this.#status.textContent = `${counted(neighbours.length, 'neighbour', 'neighbours')}.`
    this.#list.show(neighbours.map((one) => entry(one, episodes)))
    const drawn = drawing(centre, neighbours, why, isEpisode)
    this.#name(new Set(drawn.lines.map(({ kind }) => kind)))
    this.#picture.show(drawn, (id) => labelOf(id, episodes), this.#colours())
    if (isNew && !this.#list.focus()) this.#dialog.querySelector<HTMLElement>('[data-key="close"]')?.focus()
  }

  async #episodesOf(ids: readonly string[]): Promise<ReadonlyMap<string, Episode>> {
    const found = await Promise.all([...new Set(ids)].map(async (id) => [id, await this.#db.getEpisode(id)] as const))
    return new Map(found.flatMap(([id, episode]) => (episode === undefined ? [] : [[id, episode]])))
  }

  #kinds(): HTMLElement[] {
    return LINE_KINDS.map((kind) => {
      const swatch = element('span', { class: `swatch ${kind}`, 'aria-hidden': 'true' })
      this.#swatches.set(kind, swatch)
      if (!CHOSEN.some((one) => one === kind)) return element('span', { class: kind, hidden: '' }, swatch, LEGEND[kind])
      const box = element('input', { type: 'checkbox', checked: '' })
      box.addEventListener('change', () => void this.#show(false))
      this.#boxes.set(kind, box)
      return element('label', {}, box, swatch, LEGEND[kind])
    })
  }

  /** The kinds that nobody can leave out are named where they are drawn. */
  #name(drawn: ReadonlySet<LineKind>): void {
    for (const [kind, swatch] of this.#swatches)
      if (!this.#boxes.has(kind)) swatch.parentElement!.hidden = !drawn.has(kind)
  }

  /** As the style sheet has them in the scheme of the page. */
  #colours(): Colours {
    const { color, backgroundColor, borderColor, outlineColor } = getComputedStyle(this.#dialog)
    return {
      ink: color,
      surface: backgroundColor,
      node: borderColor,
      path: outlineColor,
      lines: Object.fromEntries(
        Array.from(this.#swatches, ([kind, swatch]) => [kind, getComputedStyle(swatch).color]),
      ) as Record<LineKind, string>,
    }
  }
}

function ends(steps: readonly WhyStep[]): string[] {
  return steps.flatMap(({ from, to }) => [from, to])
}

function entry({ id, weight, why }: GraphNeighbour, episodes: ReadonlyMap<string, Episode>) {
  const episode = episodes.get(id)
  const text = episode === undefined ? id : short(spoken(episode))
  return {
    id,
    contents: [
      element('span', { class: 'text' }, text),
      element('span', { class: 'note' }, `${told(why, (end) => episodes.has(end))}, weight ${percent(weight)}`),
    ],
  }
}

function pathOf(why: readonly WhyStep[], episodes: ReadonlyMap<string, Episode>): string {
  const [first] = why
  const from = first === undefined ? undefined : episodes.get(first.from)
  const start = from === undefined ? `${first?.from}` : `“${short(spoken(from))}”`
  return `${start}: ${told(why, (end) => episodes.has(end))}.`
}

function labelOf(id: string, episodes: ReadonlyMap<string, Episode>): string {
  const episode = episodes.get(id)
  const text = episode === undefined ? id : spoken(episode)
  const characters = Array.from(text)
  return characters.length <= LABEL ? text : `${characters.slice(0, LABEL - 1).join('')}…`
}

function spoken({ speaker, text }: Episode): string {
  return speaker === undefined ? text : `${speaker}: ${text}`
}
