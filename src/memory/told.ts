import type { LearningEvent, LearningKind } from '../api/learning.js'
import type { Logged } from '../records/event-log.js'
import type { IsGone, Service } from './projection.js'

/** What the floors would tell of events instead; see `Service.without`. */
export type Instead = ReadonlyMap<LearningEvent, LearningEvent | undefined>

/** What all floors say of the events without episodes that are gone. */
export function withoutGone(services: readonly Service[], events: readonly Logged[], isGone: IsGone): Instead {
  return together(services, (service) => service.without?.(events, isGone))
}

/** The events as they are told now, by slot: without what is gone. */
export function toldNow(services: readonly Service[], events: readonly Logged[], isGone: IsGone): readonly Logged[] {
  const instead = together(services, (service) => service.told?.(events) ?? service.without?.(events, isGone))
  return instead.size === 0 ? events : events.flatMap((logged) => taken(logged, instead))
}

/** Kinds of events that follow from others, and may be stored again later than they were learned. */
const DERIVED: ReadonlySet<LearningKind> = new Set<LearningKind>([
  'semanticAtomFormed',
  'semanticAtomRevised',
  'contradictionDetected',
  'consolidationRun',
  'selfVectorUpdated',
  'beliefRevised',
  'beliefWithdrawn',
])

/**
 * Events by slot in the order in which they were learned: one that was derived anew stands at its time, after the last
 * one before it in the log that is no later.
 */
export function inOrder(bySlot: readonly Logged[]): Logged[] {
  const others: Logged[] = []
  const derived: { readonly logged: Logged; readonly after: number }[] = []
  /** How many of the others come up to each of those that all after them are later than. */
  const counts: number[] = []
  for (const logged of bySlot) {
    const { at } = logged.event
    if (isDerived(logged.event)) {
      let from = 0
      for (let to = counts.length; from < to; ) {
        const middle = (from + to) >> 1
        if (others[counts[middle] - 1].event.at > at) to = middle
        else from = middle + 1
      }
      derived.push({ logged, after: from === 0 ? 0 : counts[from - 1] })
    } else {
      while (counts.length > 0 && others[counts.at(-1)! - 1].event.at >= at) counts.pop()
      counts.push(others.push(logged))
    }
  }
  const byTime = (a: Logged, b: Logged) => Number(a.event.at > b.event.at) - Number(a.event.at < b.event.at)
  derived.sort((a, b) => a.after - b.after || byTime(a.logged, b.logged))
  const ordered: Logged[] = []
  let count = 0
  for (const { logged, after } of derived) {
    while (count < after) ordered.push(others[count++])
    ordered.push(logged)
  }
  while (count < others.length) ordered.push(others[count++])
  return ordered
}

function isDerived(event: LearningEvent): boolean {
  return DERIVED.has(event.kind) || (event.kind === 'beliefAsserted' && event.automatic !== undefined)
}

function taken(logged: Logged, instead: Instead): readonly Logged[] {
  if (!instead.has(logged.event)) return [logged]
  const event = instead.get(logged.event)
  return event === undefined ? [] : [{ slot: logged.slot, event }]
}

function together(services: readonly Service[], ask: (service: Service) => Instead | undefined): Instead {
  const all = new Map<LearningEvent, LearningEvent | undefined>()
  for (const service of services) for (const [event, instead] of ask(service) ?? []) all.set(event, instead)
  return all
}
