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

/** Events by slot in the order in which they were learned: one that was derived anew stands at its time. */
export function inOrder(bySlot: readonly Logged[]): Logged[] {
  const ordered: Logged[] = []
  for (const logged of bySlot) {
    let at = ordered.length
    if (isDerived(logged.event)) while (at > 0 && ordered[at - 1].event.at > logged.event.at) at--
    ordered.splice(at, 0, logged)
  }
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
