import type { Caller } from '../api/caller.js'
import { receiptKind } from '../records/kinds/receipt.js'
import type { StoredEpisode } from '../api/storage.js'
import type { RecordChange } from './record-change.js'
import type { StoredRecord } from '../records/stored-record.js'

/** That a call had its effect. */
export interface Receipt {
  readonly caller: Caller
  /** What is to be answered when it is asked again; `undefined` where that can be read anew. Plain data. */
  readonly answer?: unknown
}

/** The receipts of one handle. They stand in one row, which is written anew with each effect. */
interface Kept {
  readonly slot: number | undefined
  readonly answers: ReadonlyMap<number, unknown>
}

/** Rows to be written with an effect, and what then holds. */
export interface ReceiptChanges {
  readonly records: readonly RecordChange[]
  /** To be called once they are durable, with their slots. */
  readonly done: (slots: readonly number[]) => void
}

const NONE: ReceiptChanges = { records: [], done: () => {} }

/**
 * Of the calls that may be asked again (see {@link Caller.call}): which had their effect. A receipt is written in the
 * commit that has the effect, so either both are durable or neither; it goes when the caller has the answer, or is gone
 * itself.
 */
export class IdempotencyLog {
  readonly #kept = new Map<string, Kept>()
  /** The call up to which each caller has its answers. */
  readonly #received = new Map<string, number>()
  readonly #gone = new Set<string>()

  /** Takes in a stored row of receipts, at opening. */
  restore({ slot, id, row }: StoredRecord): void {
    this.#kept.set(id, { slot, answers: receiptKind.decode(row) })
  }

  get callers(): readonly string[] {
    return [...this.#kept.keys()]
  }

  /** Where they are stored. */
  get slots(): ReadonlySet<number> {
    return new Set([...this.#kept.values()].flatMap(({ slot }) => slot ?? []))
  }

  /** The receipt of a call, if it had its effect. */
  find({ from, call }: Caller): { readonly answer: unknown } | undefined {
    const answers = call === undefined ? undefined : this.#kept.get(from)?.answers
    return answers?.has(call!) ? { answer: answers.get(call!) } : undefined
  }

  received(from: string, upTo: number): void {
    this.#received.set(from, Math.max(upTo, this.#received.get(from) ?? -1))
  }

  forget(from: string): void {
    this.#received.delete(from)
    this.#gone.add(from)
  }

  /** What to write for receipts, of which those without a call need none; and to take away. */
  changes(receipts: readonly Receipt[]): ReceiptChanges {
    const next = new Map<string, Map<number, unknown>>()
    for (const {
      caller: { from, call },
      answer,
    } of receipts) {
      if (call === undefined) continue
      const answers = next.get(from) ?? this.#waitedFor(from)
      next.set(from, answers.set(call, answer))
    }
    return this.#writing(next)
  }

  /** What takes the receipts of those away that are gone. */
  removalsOfGone(): ReceiptChanges {
    return this.#writing(new Map())
  }

  /** What to write when the effects that had these receipts are undone. */
  withdrawing(receipts: readonly Receipt[]): ReceiptChanges {
    const next = new Map<string, Map<number, unknown>>()
    for (const {
      caller: { from, call },
    } of receipts) {
      if (call === undefined) continue
      const answers = next.get(from) ?? this.#waitedFor(from)
      answers.delete(call)
      next.set(from, answers)
    }
    return this.#writing(next)
  }

  /**
   * What is to be stored when another content takes the place of all: the receipts that may still be asked for, with
   * one for the call that does it, if it may be asked again.
   *
   * @param next the first slot that is free there.
   */
  rowsForReplacement(next: number, { caller: { from, call }, answer }: Receipt): StoredEpisode[] {
    const handles = new Set([...this.#kept.keys(), ...(call === undefined ? [] : [from])])
    for (const gone of this.#gone) handles.delete(gone)
    const kept = [...handles].map((id) => ({
      id,
      answers: id === from && call !== undefined ? this.#waitedFor(id).set(call, answer) : this.#waitedFor(id),
    }))
    return kept
      .filter(({ answers }) => answers.size > 0)
      .map(({ id, answers }, i) => ({ slot: next + i, id, row: receiptKind.encode(answers), signatures: {} }))
  }

  #waitedFor(from: string): Map<number, unknown> {
    const received = this.#received.get(from) ?? -1
    return new Map([...(this.#kept.get(from)?.answers ?? [])].filter(([call]) => call > received))
  }

  #writing(next: ReadonlyMap<string, ReadonlyMap<number, unknown>>): ReceiptChanges {
    const gone = [...this.#gone].flatMap((id) => {
      const slot = this.#kept.get(id)?.slot
      return slot === undefined || next.has(id) ? [] : [{ id, slot }]
    })
    if (next.size + gone.length === 0) return NONE
    const records = [...next].map(([id, answers]): RecordChange => {
      const row = receiptKind.encode(answers)
      const slot = this.#kept.get(id)?.slot
      return slot === undefined ? { op: 'put', id, row } : { op: 'update', slot, id, row }
    })
    return {
      records: [...records, ...gone.map(({ id, slot }): RecordChange => ({ op: 'remove', slot, id }))],
      done: (slots) => {
        let i = 0
        for (const [id, answers] of next) this.#kept.set(id, { slot: slots[i++], answers })
        for (const { id } of gone) {
          this.#kept.delete(id)
          this.#gone.delete(id)
        }
      },
    }
  }
}
