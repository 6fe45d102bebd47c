import type { Extraction, ExtractionContext, Extractor, NamedTime, Statement } from '../../api/extractor.js'
import { turn } from '../../base/event-loop-turn.js'
import { stopwatch } from '../../base/clock.js'
import { parse } from './clauses.js'
import { EarlierTurns, speakersOf } from './earlier-turns.js'
import { mentioned } from './mentioned.js'
import { Names } from './names.js'
import { Naming } from './naming.js'
import { RULES } from './reader.js'
import { References } from './references.js'
import { Statements } from './statements.js'
import { loadTagger, type Tagger } from './tagger.js'
import { type ReadExpressions, timesOf } from './times.js'
import type { Token } from './token.js'

/**
 * The built-in extractor: a tagger of parts of speech, and rules over its tags. English; other languages give little.
 * The tagger, about 1 MB, is loaded by this call.
 *
 * @param giveWay is awaited again and again while it reads, so that what else waits in this thread has its turn.
 */
export async function rulesExtractor(giveWay = turn): Promise<Extractor> {
  const [tag, { expressions }] = await Promise.all([loadTagger(), import('../time/expressions.js')])
  const earlier = new EarlierTurns(tag)
  return {
    ...RULES,
    async extract(texts, contexts) {
      const found: Extraction[] = []
      let until = stopwatch() + SLICE_MS
      const rest = async () => {
        if (stopwatch() <= until) return
        await giveWay()
        until = stopwatch() + SLICE_MS
      }
      for (const [i, text] of texts.entries()) {
        await rest()
        found.push(await extract(text, contexts[i], { tag, earlier, expressions, rest }))
      }
      return found
    },
  }
}

/** After so many milliseconds of reading, what else waits in this thread has its turn, such as a recall. */
const SLICE_MS = 1

/** By what texts are read, and what is awaited between their sentences. */
interface Readers {
  readonly tag: Tagger
  readonly earlier: EarlierTurns
  readonly expressions: ReadExpressions
  readonly rest: () => Promise<void>
}

async function extract(text: string, context: ExtractionContext, readers: Readers): Promise<Extraction> {
  const { tag, earlier, expressions, rest } = readers
  const times = timesOf(text, context.at, expressions)
  const references = new References(context, () => earlier.named(context))
  const names = new Names(text, speakersOf(context))
  const triples: Statement[] = []
  for (const [unit, tokens] of tag(text).entries()) {
    await rest()
    markTimes(tokens, times)
    names.read(tokens)
    references.sentence(unit)
    const naming = new Naming(text, tokens, references, (name) => names.gender(name))
    triples.push(...statements(tokens, naming, references, context))
  }
  names.times(times)
  return { entities: names.found.sort((a, b) => a.from - b.from), triples, times }
}

function markTimes(tokens: readonly Token[], times: readonly NamedTime[]): void {
  if (times.length === 0) return
  for (const token of tokens) {
    token.time = times.find(({ from, to }) => token.from >= from && token.to <= to)
    if (token.time !== undefined) token.tag = 'TIME'
  }
}

function statements(
  tokens: readonly Token[],
  naming: Naming,
  references: References,
  context: ExtractionContext,
): readonly Statement[] {
  const parsed = parse(tokens)
  const made = new Statements(tokens, naming, tokens.at(-1)!.text.includes('?'), context)
  const pending = mentioned(parsed, naming)
  const mentionUntil = (end: number) => {
    while (pending.length > 0 && pending[0].end <= end) {
      const mention = naming.mention(pending.shift()!)
      if (mention !== undefined) references.add(mention)
    }
  }
  made.names(parsed.phrases)
  made.appositions(parsed.appositions)
  for (const clause of parsed.clauses) {
    mentionUntil(clause.verb.first)
    made.clause(clause)
  }
  mentionUntil(tokens.length)
  return made.found
}
