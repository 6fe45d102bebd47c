import type { Caller } from '../../api/caller.js'
import { checkKeys, checkList, checkNumber, checkText } from '../../api/check.js'
import type { AgingConfig, AgingReport } from '../../api/entry.js'
import type { EntryId } from '../../api/entry-facet.js'
import { FIELD_LIMITS } from '../../api/field-limits.js'
import type { Limits } from '../../api/open-options.js'
import { change } from './change.js'
import type { DocumentContext } from './context.js'
import { currentSlots } from './outline.js'

const DAY_MS = 86_400_000
const MOST_DAYS = 36_500

/** The configuration with what a caller changes of it. */
export function toAging(before: AgingConfig, given: Partial<AgingConfig>, limits: Limits): AgingConfig {
  checkKeys('aging', given, ['degradeAfterDays', 'degradeFrom', 'degradeTo', 'salienceProtection'])
  const { degradeAfterDays, degradeFrom, degradeTo, salienceProtection } = { ...before, ...given }
  checkNumber('degradeAfterDays', degradeAfterDays, 0, MOST_DAYS)
  const from = checkList('degradeFrom', degradeFrom, limits, FIELD_LIMITS.entry.perspectives)
  for (const [i, visibility] of from.entries()) checkText(`degradeFrom[${i}]`, visibility, limits, 'nameBytes')
  checkText('degradeTo', degradeTo, limits, 'nameBytes')
  checkNumber('salienceProtection', salienceProtection, 0, 1)
  return { degradeAfterDays, degradeFrom: [...new Set(from)], degradeTo, salienceProtection }
}

/**
 * Takes out of sight what was neither accessed nor stored within some days, unless it is significant. `promote` and
 * `setVisibility` take that back.
 */
export async function age(context: DocumentContext, caller: Caller): Promise<AgingReport> {
  const { states, indexes, clock } = context
  const { degradeAfterDays, degradeFrom, degradeTo, salienceProtection } = states.aging
  const now = clock()
  const degraded: EntryId[] = []
  let spared = 0
  for (const slot of currentSlots(indexes, now)) {
    const id = indexes.catalog.id(slot)!
    const { visibility } = indexes.documents.shown(slot)
    if (visibility === degradeTo || !degradeFrom.includes(visibility)) continue
    const used = states.accessesOf(id, slot, now).last ?? indexes.catalog.recordedAt(slot)
    if (now - used < degradeAfterDays * DAY_MS) continue
    if (states.salienceOf(id, slot, now).composite >= salienceProtection) spared++
    else degraded.push(id)
  }
  if (degraded.length > 0) await change(context, degraded, { by: 'aging', visibility: degradeTo }, caller)
  return { degraded, spared }
}
