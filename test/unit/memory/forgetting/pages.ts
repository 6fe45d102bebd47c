import type { Agidb } from '../../../../src/api/agidb.js'
import type { EntryId } from '../../../../src/api/entry-facet.js'

const SIDES = ['knowledge', 'people']

/** The pages that a history stores in documents, and what it says of them. */
export class Pages {
  /** The entry of each page by the number of its step. */
  readonly #ids = new Map<number, EntryId>()

  /** A page has a section of its own, and one that others of its session may have, too. */
  async ingest({ entries }: Agidb, at: number, session: string, subject: string, object: string): Promise<void> {
    const text = `# Page ${at}\n\n${subject} likes ${object}.\n\n# ${object}\n\n${subject} is in ${session}.\n`
    const [number, side] = [subject.length % 2, object.length % 2]
    const source = `${session} document ${number}.md`
    const page = await entries.ingest(text, { source, perspectives: SIDES.slice(side) })
    this.#ids.set(at, page.entries[0])
  }

  /** Links a page to another, or takes that back. */
  async link({ entries }: Agidb, pages: readonly number[], isThere: boolean): Promise<void> {
    const [from, to] = this.#of(pages)
    if (isThere) await entries.relate(from, 'related_to', to)
    else await entries.unrelate(from, 'related_to', to).catch(unlessMissing)
  }

  /** Says who sees pages, or from which perspectives. */
  async show({ entries }: Agidb, pages: readonly number[], how: number, sides: number): Promise<void> {
    if (how > 0) await entries.setVisibility(this.#of(pages), how === 1 ? 'always' : 'deep_only')
    else for (const id of this.#of(pages)) await entries.update(id, { perspectives: SIDES.slice(sides) })
  }

  /** Finds all that there are, so that what one of the twins never saw keeps no other one from being found. */
  async seek(db: Agidb, cue: string): Promise<void> {
    await db.entries.search(cue, { k: 100, deep: true })
    await db.flush()
  }

  async define({ entries }: Agidb, perspective: string, isThere: boolean): Promise<void> {
    if (isThere) await entries.definePerspective(perspective, `What is ${perspective}`)
    else await entries.removePerspective(perspective).catch(unlessMissing)
  }

  #of(pages: readonly number[]): EntryId[] {
    return pages.map((page) => this.#ids.get(page)!)
  }
}

/** There need not be what is taken away. */
export function unlessMissing(error: unknown): void {
  if ((error as { readonly code?: string }).code !== 'AGIDB_NOT_FOUND') throw error
}
