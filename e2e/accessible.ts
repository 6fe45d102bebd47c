import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

/**
 * What axe finds wrong with a page: the rule, the element and its markup.
 *
 * @param within Selector of the part that is looked at; without it the whole page is.
 */
export async function violations(page: Page, within?: string): Promise<string[]> {
  // Axe opens a page of its own for frames of other origins, which no page here has, and collects what is right.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
  if (within !== undefined) axe.include(within)
  const found = (await axe.analyze()).violations
  return found.flatMap(({ id, nodes }) => nodes.map(({ target, html }) => `${id}: ${target.join(' ')}: ${html}`))
}
