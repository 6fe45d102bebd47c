import type { Caller } from '../../../src/api/caller.js'
import type { MemoryContext } from '../../../src/memory/context.js'
import { type Extension, type Projection, projectionOf, type Service } from '../../../src/memory/projection.js'
import { decodeTagged, encodeTagged, type RecordKind } from '../../../src/records/record-kind.js'
import { name, object, string, whole } from '../../../src/records/shapes.js'

/** How far somebody has read: a toy floor, which shows all that a new kind of record needs. */
export interface Bookmark {
  readonly id: string
  readonly reader: string
  readonly note: string
  /** The slot through which episodes were read. */
  readonly upTo: number
}

const TAG = 31
const limits = { note: 'textBytes' } as const
const SHAPE = object({ id: name, reader: name, note: string(limits.note), upTo: whole })

export const bookmarkKind: RecordKind<Bookmark> = {
  tag: TAG,
  name: 'bookmark',
  isExported: true,
  limits: { bookmark: limits },
  encode: (bookmark) => encodeTagged(TAG, bookmark),
  decode: (row) => decodeTagged(row, 'bookmark') as Bookmark,
  validate(row, id, check) {
    const bookmark = check.json(row.subarray(1))
    return SHAPE(bookmark, check.at('bookmark')) && (bookmark as Bookmark).id === id ? undefined : 'is no bookmark'
  },
  subjects: ({ reader }) => [reader],
  references: () => [],
  moved(row, slotOf) {
    const bookmark = bookmarkKind.decode(row)
    return bookmarkKind.encode({ ...bookmark, upTo: slotOf(bookmark.upTo) })
  },
}

/** The bookmarks of each reader, in order. */
class BookmarkTable implements Projection<Bookmark> {
  readonly #bookmarks = new Map<string, Bookmark & { readonly slot: number }>()

  apply(bookmark: Bookmark, slot: number): void {
    this.#bookmarks.set(bookmark.id, { ...bookmark, slot })
  }

  retract(bookmarks: readonly Bookmark[]): void {
    for (const { id } of bookmarks) this.#bookmarks.delete(id)
  }

  get bytes(): number {
    return 200 * this.#bookmarks.size
  }

  get(id: string): (Bookmark & { readonly slot: number }) | undefined {
    return this.#bookmarks.get(id)
  }

  of(reader: string): Bookmark[] {
    return Array.from(this.#bookmarks.values(), ({ slot: _, ...bookmark }) => bookmark).filter(
      (bookmark) => bookmark.reader === reader,
    )
  }
}

/** What applications would call. */
export class Bookmarks implements Service {
  readonly #context: MemoryContext
  readonly #table = new BookmarkTable()
  readonly projections = [projectionOf(bookmarkKind, this.#table)]

  constructor(context: MemoryContext) {
    this.#context = context
  }

  put(reader: string, note: string, upTo: number, caller: Caller): Promise<string> {
    return this.#context.learn(caller, (now) => {
      const id = this.#context.makeId('bm_', now, (id) => this.#table.get(id) !== undefined)
      const bookmark = { id, reader, note, upTo }
      return {
        events: [],
        records: [{ op: 'put', id, row: bookmarkKind.encode(bookmark) }],
        answer: id,
        result: ([slot]) => {
          this.#table.apply(bookmark, slot)
          return id
        },
      }
    })
  }

  remove(id: string, caller: Caller): Promise<void> {
    return this.#context.learn(caller, () => {
      const { slot, ...bookmark } = this.#table.get(id)!
      return {
        events: [],
        records: [{ op: 'remove', slot, id }],
        result: () => this.#table.retract([bookmark]),
      }
    })
  }

  of(reader: string): Bookmark[] {
    return this.#table.of(reader)
  }
}

/** The one registration: `extensions: [bookmarks(…)]`. */
export function bookmarks(opened: (service: Bookmarks) => void): Extension {
  return {
    recordKinds: [bookmarkKind],
    service(context) {
      const service = new Bookmarks(context)
      opened(service)
      return service
    },
  }
}
