import type { RevisionDecision, Verdict } from '../../src/runtimes/browser/index.js'

let verdict: Verdict = 'neutral'

/**
 * The page's `decideRevision`: where the statements of an episode do not decide, the person who pressed the button did.
 */
export function personDecides(): RevisionDecision {
  return { verdict, reason: 'a person judged it on the page' }
}

/** Revises beliefs by what the person says. */
export async function decide<T>(said: Verdict, revise: () => Promise<T>): Promise<T> {
  verdict = said
  try {
    return await revise()
  } finally {
    verdict = 'neutral'
  }
}
