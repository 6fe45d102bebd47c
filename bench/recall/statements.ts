import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Observation, Triple, TriplePattern } from '../../src/api/episode.js'
import { statements } from '../floors/extract.js'
import { drawn, seeded, shuffled } from '../random.js'
import { readLocomo } from './locomo.js'

/** Half of the material: by `fit` constants may be fitted, by `held` nothing is. */
export type Half = 'fit' | 'held'

/** A question with the patterns that an extractor may make of it. */
export interface PatternQuestion {
  readonly cue: string
  /** The cue with a pronoun instead of its subject. */
  readonly unnamed: string
  /** Numbers of the observations that answer it; empty: none does. */
  readonly gold: readonly number[]
  /** What is asked for, in the words of the statements. */
  readonly exact: TriplePattern
  /** The same with a predicate that no statement of the memory has. */
  readonly reworded: TriplePattern
  /** `reworded`, or about something that another statement says. */
  readonly wrong: TriplePattern
  /** The same with the predicate of another question, or a subject that the memory does not know, or both. */
  readonly mistaken: TriplePattern
}

/** Observations with statements, and questions. */
export interface StatementMemory {
  readonly observations: readonly Observation[]
  readonly questions: readonly PatternQuestion[]
}

/** One statement with the text that makes it and a question that it answers. */
interface Fact {
  readonly observation: Observation
  readonly cue: string
  /** The cue with a pronoun instead of its subject. */
  readonly unnamed: string
  /** Whether an observation answers the cue. */
  readonly isAnsweredBy: (observation: Observation) => boolean
  readonly exact: TriplePattern
  /** The exact pattern with a predicate that no statement has. */
  readonly reworded: TriplePattern
}

interface Relation {
  readonly predicate: string
  /** Another word for the predicate, which no statement has. */
  readonly also: string
  readonly texts: readonly string[]
  readonly questions: readonly string[]
  readonly objects: readonly string[]
}
type Relations = Readonly<Record<Half, { readonly people: readonly string[]; readonly relations: readonly Relation[] }>>

interface Size {
  readonly episodes: number
  /** Questions with an answer, and at most as many without. */
  readonly asked: number
}
/** Memories of each size, of each of the two kinds; fewer of the large ones, which are asked more. */
const SIZES: readonly (Size & { readonly memories: number })[] = [
  { episodes: 12, memories: 6, asked: 5 },
  { episodes: 60, memories: 2, asked: 12 },
  { episodes: 500, memories: 1, asked: 16 },
]
/** Share of the made-up facts that name a month, in the text and in the question. Statements do not hold it. */
const DATED = 0.4
/** Facts of the same subject and predicate. */
const OBJECTS = 2
const MONTHS = ['March', 'May', 'August', 'October']
/** What the extractor finds in the flight's talk that can be asked about. */
const ASKED = new Set(['is', 'is switched to', 'has', 'wants', 'sees'])
const CONVERSATIONS = fileURLToPath(new URL('../data/conversations', import.meta.url))
const START = Date.UTC(2025, 10, 1)
const SEED = 5

/**
 * Memories of 12, 60 and 500 episodes with statements: made-up facts among turns of conversations, and turns of the
 * Apollo 13 transcript with what `bench/floors/extract.ts` finds in them. As many questions have an answer as have
 * none.
 *
 * @param half decides the relations, the people, the conversations and the part of the flight
 * @param folder conversations in the form of LoCoMo, of which every second is of a half; by default those of
 * `bench/data`
 */
export async function statementMemories(half: Half, folder = CONVERSATIONS): Promise<StatementMemory[]> {
  const random = seeded(SEED)
  const relations = JSON.parse(await readFile(new URL('../data/relations.json', import.meta.url), 'utf8')) as Relations
  const chats = await readLocomo(folder)
  const turns = chats.filter((_, i) => i % 2 === Number(half === 'held')).flatMap(({ observations }) => observations)
  const lines = (await readFile(new URL('../../demo/data/apollo13.jsonl', import.meta.url), 'utf8')).trim().split('\n')
  const flight = lines
    .map((line) => JSON.parse(line) as Observation)
    .filter((_, i) => i < lines.length / 2 === (half === 'fit'))
  const spoken = flight.map(({ at, speaker, text }) => ({ at, speaker, text, triples: statements({ speaker, text }) }))
  return SIZES.flatMap((size) =>
    Array.from({ length: size.memories }, () => [
      fill(madeUp(relations[half], random), turns, size, random),
      fill(
        said(spoken, random),
        spoken.filter(({ triples }) => triples.length === 0),
        size,
        random,
      ),
    ]).flat(),
  )
}

/** Two facts of each person and relation of a half, in random order. */
function madeUp({ people, relations }: Relations[Half], random: () => number): Fact[] {
  return shuffled(
    people.flatMap((s) =>
      relations.flatMap((relation) =>
        shuffled(relation.objects, random)
          .slice(0, OBJECTS)
          .map((o) => fact(relation, s, o, random)),
      ),
    ),
    random,
  )
}

function fact({ predicate, also, texts, questions }: Relation, s: string, o: string, random: () => number): Fact {
  const month = random() < DATED ? drawn(MONTHS, random) : undefined
  const inMonth = month === undefined ? '' : ` in ${month}`
  const written = (template: string) => template.replace('{s}', s).replace('{o}', o)
  const asked = (template: string) => template.replace('?', `${inMonth}?`)
  const exact = { subject: s, predicate }
  const text = written(drawn(texts, random))
  const question = drawn(questions, random)
  return {
    observation: {
      text: `${text[0].toUpperCase()}${text.slice(1)}${inMonth}.`,
      triples: [{ subject: s, predicate, object: o }],
    },
    cue: asked(written(question)),
    unnamed: asked(written(question.replace("{s}'s", 'her').replace('{s}', 'she'))),
    isAnsweredBy: ({ text, triples = [] }) =>
      triples.some((triple) => holds(triple, exact)) && (month === undefined || text.includes(month)),
    exact,
    reworded: { subject: s, predicate: also },
  }
}

/** What the flight's talk says, each turn once, in random order; half of the questions name the object as well. */
function said(
  spoken: readonly (Observation & { readonly triples: readonly Triple[] })[],
  random: () => number,
): Fact[] {
  const facts = spoken.flatMap((observation): Fact[] => {
    const { subject, predicate, object } = observation.triples.find((triple) => ASKED.has(triple.predicate)) ?? {}
    if (subject === undefined || predicate === undefined || object === undefined) return []
    const verb = predicate.replace(/^is(?= |$)/, 'was')
    const named = random() < 0.5
    const exact = { subject, predicate, ...(named && { object }) }
    const question = (about: string) =>
      named ? `When did they say that ${about} ${verb} ${object}?` : `What did they say that ${about} ${verb}?`
    return [
      {
        observation,
        cue: question(subject),
        unnamed: question('it'),
        isAnsweredBy: ({ triples = [] }) => triples.some((triple) => holds(triple, exact)),
        exact,
        reworded: { subject, predicate: `${predicate} or so`, ...(named && { object }) },
      },
    ]
  })
  return shuffled(facts, random)
}

/** A memory of which half the episodes are facts, if there are so many, in random order, a minute apart. */
function fill(
  facts: readonly Fact[],
  others: readonly Observation[],
  size: Size,
  random: () => number,
): StatementMemory {
  const inside = facts.slice(0, Math.min(size.episodes / 2, Math.floor(facts.length * 0.6)))
  const turns = shuffled(others, random).slice(0, size.episodes - inside.length)
  const order = shuffled([...inside.map(({ observation }) => observation), ...turns], random)
  const goldOf = (fact: Fact) => order.flatMap((observation, i) => (fact.isAnsweredBy(observation) ? [i] : []))
  const missing = facts
    .slice(inside.length)
    .filter((fact) => goldOf(fact).length === 0)
    .slice(0, size.asked)
  return {
    observations: order.map(({ text, speaker, triples }, i) => ({ text, speaker, triples, at: START + i * 60_000 })),
    questions: [...inside.slice(0, size.asked), ...missing].map((fact, i, all): PatternQuestion => {
      const elsewhere = inside.filter(({ observation }) => !fact.isAnsweredBy(observation))
      const wrong = random() < 0.5 || elsewhere.length === 0 ? fact.reworded : drawn(elsewhere, random).exact
      return {
        cue: fact.cue,
        unnamed: fact.unnamed,
        gold: goldOf(fact),
        exact: fact.exact,
        reworded: fact.reworded,
        wrong,
        mistaken: mistaken(fact, i, all),
      }
    }),
  }
}

/**
 * Mistakes of each kind in turn: another predicate, another subject, both, another subject with a predicate that
 * nothing has.
 */
function mistaken({ exact, reworded }: Fact, i: number, all: readonly Fact[]): TriplePattern {
  const predicate =
    all.find(({ exact: other }) => other.predicate !== exact.predicate)?.exact.predicate ?? reworded.predicate
  const subject = `${exact.subject}son`
  return {
    ...exact,
    ...[{ predicate }, { subject }, { subject, predicate }, { subject, predicate: reworded.predicate }][i % 4],
  }
}

/** Whether a statement has all that a pattern gives. */
function holds(triple: Triple, pattern: TriplePattern): boolean {
  const same = (part: keyof Triple) =>
    pattern[part] === undefined || pattern[part].toLowerCase() === triple[part].toLowerCase()
  return same('subject') && same('predicate') && same('object')
}
