import type { Agidb, Recall, Stats } from '../../src/runtimes/browser/index.js'

/** The last question, and what was recalled. */
export interface Answer {
  readonly cue: string
  readonly recall: Recall
}

/** What the panels share. */
export interface Setting {
  readonly db: Agidb
  /** Absent until something was asked. */
  readonly answer: Answer | undefined
  /** Does something, says what went wrong, and shows what came of it. Resolves to whether it went well. */
  readonly act: (work: () => Promise<unknown>) => Promise<boolean>
  /** Asks the last question once more and shows all of the memory anew; the open panel stays open. */
  readonly again: () => Promise<void>
}

/** One floor of the mind on the page. */
export interface Panel {
  readonly name: string
  /** What the floor is, in a sentence. */
  readonly about: string
  readonly body: readonly HTMLElement[]
  /** How many things there are, where that says something. */
  readonly count?: (stats: Stats) => number
  /** Reads the floor and shows it as it is now. Called while the panel is open. */
  readonly show: () => Promise<void>
  /** Called when the panel is closed. */
  readonly hide?: () => void
}
