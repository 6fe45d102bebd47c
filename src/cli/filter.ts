import { InvalidArgumentError } from 'commander'
import type { Filter } from '../api/filter.js'

/** The filter of an option. What is wrong with its parts, the memory says. */
export function filterOf(text: string): Filter {
  try {
    return JSON.parse(text) as Filter
  } catch {
    throw new InvalidArgumentError('Expected JSON, such as {"tags": "food"}.')
  }
}
