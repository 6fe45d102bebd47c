import type { Extraction, ExtractionContext, Extractor, NamedTime, Statement } from '../../api/extractor.js'
import { parse } from './clauses.js'
import type { ParsedSentence } from './parsed-sentence.js'
import { Names } from './names.js'
import { Naming } from './naming.js'
import type { NounPhrase } from './phrases.js'
import { type Mention, References } from './references.js'
import { Statements } from './statements.js'
import { loadTagger, type Tagger } from './tagger.js'
import { type ReadExpressions, timesOf } from './times.js'
import type { Token } from './token.js'

/** Raised with each change of what is found: it is made again then. */
const VERSION = '6'
/** Turns before the text in which whom a pronoun means is looked for. */
const TURNS_BEFORE = 2

/**
 * The built-in extractor: a tagger of parts of speech, and rules over its tags. English; other languages give little.
 * The tagger, about 1 MB, is loaded by this call.
 */
export async function rulesExtractor(): Promise<Extractor> {
  const [tag, { expressions }] = await Promise.all([loadTagger(), import('../time/expressions.js')])
  return {
    id: 'rules',
    version: VERSION,
    extract: async (texts, contexts) => texts.map((text, i) => extract(text, contexts[i], tag, expressions)),
  }
}

function extract(text: string, context: ExtractionContext, tag: Tagger, read: ReadExpressions): Extraction {
  const times = timesOf(text, context.at, read)
  const references = new References(context, () => earlier(context, tag))
  const names = new Names(text, speakers(context))
  const triples: Statement[] = []
  for (const [unit, tokens] of tag(text).entries()) {
    markTimes(tokens, times)
    names.read(tokens)
    references.sentence(unit)
    const naming = new Naming(text, tokens, references, (name) => names.gender(name))
    triples.push(...statements(tokens, naming, references, context))
  }
  names.times(times)
  return { entities: names.found.sort((a, b) => a.from - b.from), triples, times }
}

/** The names of the speakers, in lower case, and their first names. */
function speakers({ speaker, others = [], before = [] }: ExtractionContext): Set<string> {
  const known = [speaker, ...others, ...before.map((turn) => turn.speaker)].filter((one) => one !== undefined)
  return new Set(known.flatMap((name) => [name.toLowerCase(), name.toLowerCase().split(' ')[0]]))
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

/** The phrases that a pronoun may mean later, in order: not those that only say what something is. */
function mentioned({ phrases, clauses, appositions }: ParsedSentence, naming: Naming): NounPhrase[] {
  const describing = new Set<NounPhrase>(appositions.map(([one, other]) => (one.proper || !other.proper ? other : one)))
  for (const clause of clauses) {
    for (const { preposition, items } of clause.prepositional)
      if (preposition === 'as') for (const item of items) describing.add(item)
    if (naming.verb(clause).lemma !== 'be') continue
    for (const object of clause.objects)
      if (object.proper) for (const subject of clause.subjects) describing.add(subject)
      else describing.add(object)
  }
  return phrases.filter((phrase) => !describing.has(phrase)).sort((a, b) => a.first - b.first)
}

/** What the turns before have named. */
function earlier(context: ExtractionContext, tag: Tagger): Mention[] {
  const turns = context.before?.slice(-TURNS_BEFORE) ?? []
  const all = [context.speaker, ...(context.others ?? [])].filter((one) => one !== undefined)
  return turns.flatMap(({ speaker, text }, i) => {
    const inner = { at: context.at, speaker, others: all.filter((one) => one !== speaker) }
    const references = new References(inner, () => [])
    const names = new Names(text, speakers(context))
    return tag(text).flatMap((tokens) => {
      names.read(tokens)
      const naming = new Naming(text, tokens, references, (name) => names.gender(name))
      return mentioned(parse(tokens), naming).flatMap((phrase) => {
        const mention = naming.mention(phrase)
        return mention === undefined ? [] : [{ ...mention, unit: i - turns.length }]
      })
    })
  })
}
