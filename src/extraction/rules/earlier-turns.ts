import type { ExtractionContext } from '../../api/extractor.js'
import { parse } from './clauses.js'
import { mentioned } from './mentioned.js'
import { Names } from './names.js'
import { Naming } from './naming.js'
import { type Mention, References } from './references.js'
import type { Tagger } from './tagger.js'

/** Turns before a text in which whom a pronoun means is looked for. */
const TURNS_BEFORE = 2
/** Turns of which it is kept what they name, before all are dropped: a turn stands before the two after it. */
const MOST_KEPT = 256

/** What the turns before a text have named. */
export class EarlierTurns {
  readonly #tag: Tagger
  readonly #kept = new Map<string, readonly Omit<Mention, 'unit'>[]>()

  constructor(tag: Tagger) {
    this.#tag = tag
  }

  /** What they have named, in order. */
  named(context: ExtractionContext): Mention[] {
    const turns = context.before?.slice(-TURNS_BEFORE) ?? []
    const all = [context.speaker, ...(context.others ?? [])].filter((one) => one !== undefined)
    const speakers = speakersOf(context)
    return turns.flatMap(({ speaker, text }, i) => {
      const others = all.filter((one) => one !== speaker)
      const named = this.#named(text, { at: context.at, speaker, others }, speakers)
      return named.map((mention) => ({ ...mention, unit: i - turns.length }))
    })
  }

  #named(text: string, context: ExtractionContext, speakers: Set<string>): readonly Omit<Mention, 'unit'>[] {
    // The order of the names decides nothing, and neither does the time.
    const key = JSON.stringify([text, context.speaker, context.others, [...speakers].sort()])
    const known = this.#kept.get(key)
    if (known !== undefined) return known
    if (this.#kept.size >= MOST_KEPT) this.#kept.clear()
    const references = new References(context, () => [])
    const names = new Names(text, speakers)
    const named = this.#tag(text).flatMap((tokens) => {
      names.read(tokens)
      const naming = new Naming(text, tokens, references, (name) => names.gender(name))
      return mentioned(parse(tokens), naming).flatMap((phrase) => naming.mention(phrase) ?? [])
    })
    this.#kept.set(key, named)
    return named
  }
}

/** The names of the speakers, in lower case, and their first names. */
export function speakersOf({ speaker, others = [], before = [] }: ExtractionContext): Set<string> {
  const known = [speaker, ...others, ...before.map((turn) => turn.speaker)].filter((one) => one !== undefined)
  return new Set(known.flatMap((name) => [name.toLowerCase(), name.toLowerCase().split(' ')[0]]))
}
