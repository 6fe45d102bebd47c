import type { OpenOptions } from '../api/open-options.js'

/** The application's function that decides revisions, and how many of its calls are under way. */
export function countedCalls(decide: OpenOptions['decideRevision']): {
  readonly running: number
  readonly decideRevision: OpenOptions['decideRevision']
} {
  // what is no function is refused where it is used
  if (typeof decide !== 'function') return { running: 0, decideRevision: decide }
  let running = 0
  return {
    get running() {
      return running
    },
    decideRevision: async (belief, evidence) => {
      running++
      try {
        return await decide(belief, evidence)
      } finally {
        running--
      }
    },
  }
}
