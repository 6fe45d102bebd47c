import type { MemoryChange } from '../../api/change.js'
import type { EpisodeId } from '../../api/episode.js'
import type { Match } from '../../api/recall.js'
import { bar, button, element, field } from '../dom/element.js'
import { count, counted, milliseconds, percent, time } from '../dom/format.js'
import { VirtualList } from '../dom/virtual-list.js'
import { Record } from '../record/record.js'
import type { Desk, View } from '../view.js'
import { Pages } from './pages.js'
import { filterOf, isOfKind, KINDS, type MemoryKind, type MemoryQuery, type Row, rowOf } from './query.js'
import { Strip } from './strip.js'

/** Memories that a search shows at most. */
const MATCHES = 100
/** Memories that are read before they are seen. */
const AHEAD = 200

/** Search, the list of memories, and the one that is open. */
export class Memories implements View {
  readonly name = 'Memories'
  readonly element: HTMLElement
  readonly #desk: Desk
  readonly #cue = element('input', {
    type: 'search',
    placeholder: 'Search by meaning, name or time',
    autocomplete: 'off',
    enterkeyhint: 'search',
    'data-key': 'cue',
    'aria-label': 'Search the memories',
  })
  readonly #speaker = element('input', { autocomplete: 'off', list: 'speakers' })
  readonly #source = element('input', { autocomplete: 'off', list: 'sources' })
  readonly #from = element('input', { type: 'date' })
  readonly #to = element('input', { type: 'date' })
  readonly #kind = element(
    'select',
    {},
    element('option', { value: '' }, 'All kinds'),
    ...Object.entries(KINDS).map(([value, label]) => element('option', { value }, label)),
  )
  readonly #speakers = element('datalist', { id: 'speakers' })
  readonly #sources = element('datalist', { id: 'sources' })
  readonly #known = new Set<string>()
  readonly #filterName = element('summary', {}, 'Filter')
  readonly #told = element('p', { class: 'told', role: 'status' })
  readonly #list: VirtualList<Row>
  readonly #strip: Strip
  readonly #record: Record
  readonly #split: HTMLElement
  #pages: Pages | undefined
  /** Rows of the pages whose names were offered. */
  #suggested = 0
  #matches: ReadonlyMap<EpisodeId, Match> = new Map()
  #asking = new AbortController()

  constructor(desk: Desk) {
    this.#desk = desk
    this.#list = new VirtualList({
      label: 'Memories',
      keyOf: ({ id }) => id,
      contents: rowContents,
      open: ({ id }, by) => void this.open(id, by === 'keyboard'),
      need: (end) => void this.#need(end),
    })
    this.#record = new Record(desk, {
      back: () => this.#close(),
      changed: (id) => this.#list.select(id),
    })
    this.#strip = new Strip(desk.db, (from, to) => {
      this.#from.value = localDay(from)
      this.#to.value = localDay(to)
      this.#again()
    })
    const form = element(
      'form',
      { class: 'search', part: 'search', role: 'search' },
      this.#cue,
      element('button', { part: 'button', class: 'main' }, 'Search'),
    )
    const filters = element(
      'details',
      { class: 'filters', part: 'filters' },
      this.#filterName,
      element(
        'div',
        { class: 'fields' },
        field('Speaker', this.#speaker),
        field('Source', this.#source),
        field('From', this.#from),
        field('To', this.#to),
        field('Kind', this.#kind),
        button('Clear all', 'clear', () => this.#clear(), { class: 'quiet' }),
      ),
      this.#speakers,
      this.#sources,
    )
    this.#split = element(
      'div',
      { class: 'split' },
      element(
        'section',
        { class: 'found', 'aria-label': 'Search and list' },
        form,
        filters,
        this.#strip.element,
        this.#told,
        this.#list.element,
      ),
      this.#record.element,
    )
    this.element = this.#split
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      this.#again()
    })
    this.#cue.addEventListener('search', () => this.#cue.value === '' && this.#again())
    filters.addEventListener('change', () => this.#again())
    desk.signal.addEventListener('abort', () => {
      this.#asking.abort()
      leave(this.#pages)
    })
  }

  async show(changes?: readonly MemoryChange[]): Promise<void> {
    await this.#record.refresh(changes)
    if (this.#pages === undefined && this.#asksNow()) return // a live query tells of changes itself
    if (changes === undefined || this.#pages === undefined) return this.#browse(true)
    if (!changes.every(({ kind }) => kind === 'episodeStored')) return this.#browse(true)
    const came = await this.#pages.latest()
    if (came === undefined) return this.#browse(true)
    if (came > 0) {
      this.#list.shift(came)
      this.#fill()
      await this.#strip.show(filterOf(this.#query))
    }
  }

  /** Searches for a cue. */
  search(cue: string): void {
    this.#cue.value = cue
    this.#again()
  }

  /** Opens a memory. */
  async open(id: EpisodeId, takesFocus = true): Promise<void> {
    this.#split.classList.add('open')
    this.#list.select(id)
    await this.#desk.act(() => this.#record.open(id, this.#matches.get(id)))
    // Where there is no room for both, the list is out of sight now.
    if (takesFocus || this.#list.element.offsetParent === null) this.#record.focus()
  }

  get #query(): MemoryQuery {
    return {
      cue: this.#cue.value.trim(),
      speaker: this.#speaker.value.trim(),
      source: this.#source.value.trim(),
      from: this.#from.value,
      to: this.#to.value,
      kind: this.#kind.value as MemoryKind | '',
    }
  }

  #asksNow(): boolean {
    return this.#matches.size > 0 || this.#query.cue !== ''
  }

  #close(): void {
    this.#split.classList.remove('open')
    this.#list.select(undefined)
    this.#list.element.focus()
  }

  #clear(): void {
    for (const input of [this.#cue, this.#speaker, this.#source, this.#from, this.#to, this.#kind]) input.value = ''
    this.#again()
  }

  /** Answers what the fields ask for now. */
  #again(): void {
    const query = this.#query
    const set = [query.speaker, query.source, query.from, query.to, query.kind].filter((one) => one !== '').length
    this.#filterName.textContent = set === 0 ? 'Filter' : `Filter (${set} set)`
    this.#list.toStart()
    void this.#desk.act(() => (query.cue === '' ? this.#browse(false) : this.#search(query)))
  }

  /** @param keeps whether as many are read as were there. */
  async #browse(keeps: boolean): Promise<void> {
    this.#asking.abort()
    this.#asking = new AbortController()
    const { signal } = this.#asking
    const before = this.#pages
    const query = this.#query
    const pages = new Pages(this.#desk.db, query)
    try {
      await pages.more(keeps ? Math.max(AHEAD, before?.rows.length ?? 0) : AHEAD)
    } catch (error) {
      leave(pages)
      throw error
    }
    if (signal.aborted) return leave(pages)
    leave(before)
    this.#pages = pages
    this.#suggested = 0
    this.#matches = new Map()
    this.#fill()
    await this.#strip.show(filterOf(query))
  }

  async #search(query: MemoryQuery): Promise<void> {
    this.#asking.abort()
    this.#asking = new AbortController()
    const { signal } = this.#asking
    const { db } = this.#desk
    leave(this.#pages)
    this.#pages = undefined
    void this.#desk.act(() => this.#strip.show(filterOf(query)))
    // Documents that ordinary searches do not show are found here, too.
    const options = { k: MATCHES, deep: true, filter: filterOf(query) }
    for await (const { matches, elapsedMs } of db.live(query.cue, { ...options, signal })) {
      const kept = query.kind === '' ? matches : await this.#ofKind(matches, query.kind)
      if (signal.aborted) return
      this.#matches = new Map(kept.map((match) => [match.id, match]))
      const rows = kept.map((match) => ({ ...rowOf(match), confidence: match.confidence, tier: match.tier }))
      this.#suggest(rows)
      this.#list.set(rows)
      const many = counted(kept.length, 'memory', 'memories')
      const unsure = kept[0]?.lowConfidence === true ? ' None of them fits well.' : ''
      this.#told.textContent =
        kept.length === 0
          ? 'No memory answers this.'
          : `${many}, the likeliest first, in ${milliseconds(elapsedMs)}.${unsure}`
    }
  }

  async #ofKind(matches: readonly Match[], kind: MemoryKind): Promise<Match[]> {
    const episodes = await Promise.all(matches.map(({ id }) => this.#desk.db.getEpisode(id)))
    return matches.filter((_, i) => episodes[i] !== undefined && isOfKind(episodes[i], kind))
  }

  async #need(end: number): Promise<void> {
    const pages = this.#pages
    if (pages === undefined || pages.isDone) return
    await this.#desk.act(() => pages.more(end + AHEAD))
    if (pages === this.#pages) this.#fill()
  }

  #fill(): void {
    const pages = this.#pages
    if (pages === undefined) return
    const { rows, total, isDone } = pages
    this.#suggest(rows.slice(this.#suggested))
    this.#suggested = rows.length
    this.#list.set(rows, total ?? rows.length + (isDone ? 0 : AHEAD))
    const many = total === undefined ? `At least ${count(rows.length)} memories` : counted(total, 'memory', 'memories')
    this.#told.textContent = rows.length === 0 && isDone ? 'No memory is like this.' : `${many}, the newest first.`
  }

  /** Offers the names that were seen. */
  #suggest(rows: readonly Row[]): void {
    for (const { speaker, source } of rows)
      for (const [kind, name, list] of [
        ['speaker', speaker, this.#speakers],
        ['source', source, this.#sources],
      ] as const) {
        if (name === undefined || this.#known.has(`${kind} ${name}`) || list.childElementCount >= 200) continue
        this.#known.add(`${kind} ${name}`)
        list.append(element('option', { value: name }))
      }
  }
}

/** Ends a reading that nobody waits for, which fails where the memory is closed. */
function leave(pages: Pages | undefined): void {
  pages?.close().catch(() => {})
}

function rowContents({ text, speaker, source, at, marks, confidence, tier }: Row) {
  return [
    element('span', { class: 'text' }, text),
    element(
      'span',
      { class: 'byline' },
      speaker === undefined ? undefined : element('strong', {}, speaker),
      element('time', { datetime: at }, time(at)),
      source === undefined ? undefined : element('span', {}, source),
      ...marks.map((mark) => element('span', { class: `mark ${mark}` }, mark)),
    ),
    confidence === undefined
      ? undefined
      : element('span', { class: `sure ${tier}` }, bar(confidence), element('span', {}, percent(confidence))),
  ]
}

/** A day as a date field has it, in the time zone of the reader. */
function localDay(at: number): string {
  const date = new Date(at)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
