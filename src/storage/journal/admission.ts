import { AgidbError } from '../../base/errors.js'
import type { StorageChange } from '../../api/storage.js'

/** Which slots have an episode, and which may get one. */
interface Slots {
  /** One more than the highest slot ever used. */
  readonly nextSlot: number
  isLive(slot: number): boolean
  /** Whether an episode may be put into this slot, when `nextSlot` is the next one. */
  isFree(slot: number, nextSlot: number): boolean
}

/** Refuses with `AGIDB_INTERNAL` a commit of changes that do not fit what is there, or each other. */
export function admit(changes: readonly StorageChange[], slots: Slots): void {
  const put = new Set<number>()
  const removed = new Set<number>()
  let { nextSlot } = slots
  for (const { op, slot } of changes) {
    const live = (slots.isLive(slot) || put.has(slot)) && !removed.has(slot)
    const fits = op === 'put' ? slots.isFree(slot, nextSlot) && !put.has(slot) : live
    if (!fits) throw misfit(op, slot, live ? 'taken' : 'not live, or may not be used')
    if (op === 'put') {
      put.add(slot)
      nextSlot = Math.max(nextSlot, slot + 1)
    }
    if (op === 'remove') removed.add(slot)
  }
}

/** A change that does not fit the state of its slot. */
export function misfit(op: StorageChange['op'], slot: number, state: string): AgidbError {
  return new AgidbError('AGIDB_INTERNAL', `a commit has a ${op} of slot ${slot}, which is ${state}`, { op, slot })
}
