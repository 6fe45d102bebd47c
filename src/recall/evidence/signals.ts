import { PERCEIVED, SPACES } from '../../encoding/spaces/spaces.js'
import { WEIGHTS } from '../ranking/weights.js'

/** What an episode's own evidence adds to a score, by the name of the signal. */
export interface OwnSignal {
  readonly name: string
  readonly weight: number
  readonly range?: { readonly from: number; readonly to: number }
}

const WORDS: OwnSignal = { name: 'words', weight: WEIGHTS.words }

const SIGNALS = SPACES.map(({ weigh }) => weigh.signals)
const isWeighed = (signal: { readonly weight?: number }): signal is OwnSignal => signal.weight !== undefined

/** Own evidence in the order in which it is summed: sums of fractions depend on it. */
export const OWN_SIGNALS: readonly OwnSignal[] = [WORDS, ...SIGNALS.flat().filter(isWeighed)]

/**
 * Of these, what also speaks for the memories next to one: its words and what they mean. A picture is of one moment, so
 * that one like it says nothing of the turns around.
 */
export const TURN_SIGNALS = OWN_SIGNALS.filter(({ name }) => !(PERCEIVED as readonly string[]).includes(name))

/** The same in the order in which the fusion sums it: what each space is searched by, then what it says beside. */
export const FUSED_SIGNALS: readonly OwnSignal[] = [
  WORDS,
  ...SIGNALS.map(([first]) => first).filter(isWeighed),
  ...SIGNALS.flatMap(([, ...others]) => others).filter(isWeighed),
]

/** The signals by which spaces are searched and that count by themselves. */
export const SEARCHED_SIGNALS: readonly string[] = SIGNALS.map(([first]) => first)
  .filter(isWeighed)
  .map(({ name }) => name)

/** The signals by which spaces are searched, by what they tell of an answer. */
export const TELLING = {
  likeness: tellingOf('likeness'),
  meaning: tellingOf('meaning'),
}

function tellingOf(what: 'likeness' | 'meaning'): readonly string[] {
  return SPACES.filter(({ weigh }) => weigh.tellsOf === what).map(({ weigh }) => weigh.signals[0].name)
}

/** The weight of a signal of a space. */
export function weightOf(name: string): number {
  return OWN_SIGNALS.find((signal) => signal.name === name)!.weight
}
