declare module '@bcoe/v8-coverage' {
  import type { Profiler } from 'node:inspector'

  /** Adds up what several runs of one script came to. */
  export function mergeScriptCovs(scripts: readonly Profiler.ScriptCoverage[]): Profiler.ScriptCoverage | undefined
}
