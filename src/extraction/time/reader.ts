import { askedTime } from './asked.js'
import { mentions } from './mentions.js'

/**
 * Reads times. It is large, by the grammars of seven languages, and few texts name a time, so it is loaded when
 * `gate.ts` lets one through.
 */
export interface TimeReader {
  readonly askedTime: typeof askedTime
  readonly mentions: typeof mentions
}

export { askedTime, mentions }
