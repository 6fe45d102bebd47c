import type { Database } from '../api/scope.js'
import type { EpisodeId } from '../api/episode.js'
import { AgidbError } from '../base/errors.js'
import { element } from './dom/element.js'
import { problem } from './dom/format.js'
import { Inspection } from './inspection.js'
import { styleSheet } from './styles/sheet.js'

/** Where there are no elements, as on a server, the class can still be imported. */
const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement

/**
 * `<agidb-inspector>`: shows what a memory holds, and lets a person search, edit, forget and restore it.
 *
 * It shows the memory of its property `db`, which whoever opened it closes; or the one of its attribute `name`, which
 * it opens and closes itself. With the attribute `read-only` nothing can be changed. docs/inspector.md has its parts
 * and custom properties.
 *
 * ```html
 * <agidb-inspector name="my-agent"></agidb-inspector>
 * ```
 */
export class AgidbInspector extends Base {
  /** The attributes that it follows. */
  static readonly observedAttributes = ['name', 'read-only']

  #given: Database | undefined
  #inspection: Inspection | undefined
  /** The memory that it opened itself. */
  #own: Promise<Database> | undefined
  #beginning = 0

  constructor() {
    super()
    const root = this.attachShadow({ mode: 'open' })
    root.adoptedStyleSheets = [styleSheet()]
  }

  /** The memory that is shown. Default: the one of the attribute `name`. */
  get db(): Database | undefined {
    return this.#given
  }

  /** @throws AgidbError `AGIDB_INVALID_ARGUMENT` for what is no memory */
  set db(db: Database | undefined | null) {
    if (db !== undefined && db !== null && typeof db.live !== 'function')
      throw new AgidbError('AGIDB_INVALID_ARGUMENT', 'db is no memory; expected what Agidb.open resolves to', {
        what: 'db',
      })
    if (db === this.#given) return
    this.#given = db ?? undefined
    this.#begin()
  }

  /** The name of a memory of this origin, which it opens itself where it is given no `db`. */
  get name(): string | null {
    return this.getAttribute('name')
  }

  set name(name: string | null) {
    if (name === null) this.removeAttribute('name')
    else this.setAttribute('name', name)
  }

  /** Whether nothing can be changed. */
  get readOnly(): boolean {
    return this.hasAttribute('read-only')
  }

  set readOnly(is: boolean) {
    this.toggleAttribute('read-only', is)
  }

  /** Shows a memory, such as one that an answer cites. Does nothing before there is a database. */
  show(id: EpisodeId): void {
    this.#inspection?.open(id)
  }

  /** Searches for a cue. Does nothing before there is a database. */
  search(cue: string): void {
    this.#inspection?.search(cue)
  }

  /** Called by the browser. */
  connectedCallback(): void {
    // A property that was set before the element was defined hides the accessor of the class.
    if (Object.hasOwn(this, 'db')) {
      const { db } = this
      Reflect.deleteProperty(this, 'db')
      this.db = db
    }
    this.#begin()
  }

  /** Called by the browser. */
  disconnectedCallback(): void {
    // An element that is only moved is connected again at once.
    queueMicrotask(() => {
      if (!this.isConnected) this.#end()
    })
  }

  /** Called by the browser. */
  attributeChangedCallback(_: string, before: string | null, now: string | null): void {
    if (before !== now) this.#begin()
  }

  #end(): void {
    this.#beginning++
    this.#inspection?.end()
    this.#inspection = undefined
    // Who opened it was told of what went wrong.
    this.#own?.then((db) => db.close()).catch(() => {})
    this.#own = undefined
    this.shadowRoot?.replaceChildren()
  }

  #begin(): void {
    if (!this.isConnected) return
    this.#end()
    const beginning = this.#beginning
    const name = this.name
    if (this.#given !== undefined) return this.#inspect(this.#given, name ?? 'memory')
    if (name === null) return this.#tell('There is no memory to show: set the property db or the attribute name.')
    this.#tell('Opening the memory.')
    const own = openOwn(name, this.readOnly)
    this.#own = own
    own.then(
      (db) => beginning === this.#beginning && this.#inspect(db, name),
      (error: unknown) => beginning === this.#beginning && this.#tell(problem(error)),
    )
  }

  #inspect(db: Database, name: string): void {
    const root = this.shadowRoot!
    try {
      this.#inspection = new Inspection({ root, db, name, isReadOnly: this.readOnly })
      this.#inspection.begin()
    } catch (error) {
      this.#tell(problem(error))
    }
  }

  #tell(message: string): void {
    this.shadowRoot?.replaceChildren(element('p', { class: 'nothing', role: 'status' }, message))
  }
}

/** The library is loaded where an element opens a memory itself; a page that gives one has it already. */
async function openOwn(name: string, readOnly: boolean): Promise<Database> {
  const { Agidb } = await import('../runtimes/browser/index.js')
  return Agidb.open({ name, writer: 'inspector', ...(readOnly && { readOnly }) })
}
