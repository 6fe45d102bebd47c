import type { Entity, Extraction, Statement } from '../../api/extractor.js'
import type { GlinerModel, Mention, Reading } from './model.js'

/** What is looked for in texts. */
export interface Wanted extends Reading {
  /** Types of entities, in words: `person`, `place`. */
  readonly labels: readonly string[]
  /** Relations between entities, in words: `works at`. None: entities alone. */
  readonly relations: readonly string[]
  /** Scores of relations above it count. */
  readonly relationThreshold: number
  /** What stands before a text when relations are looked for. */
  readonly relationPrompt: string
}

/** Between the text of an entity and a relation in the label by which the other entity is looked for. */
const JOINT = ' <> '
/** Between the prompt of relations and the text. */
const AFTER_PROMPT = ' \n '

/** The entities of a text and, by a second pass, how they stand to each other. */
export async function read(model: GlinerModel, text: string, wanted: Wanted): Promise<Extraction> {
  const mentions = await model.mentions(text, wanted.labels, wanted)
  const entities = mentions.map(({ from, to, label, score }): Entity => {
    return { text: text.slice(from, to), type: label.toLowerCase(), from, to, score }
  })
  const triples = wanted.relations.length === 0 ? [] : await statements(model, text, mentions, wanted)
  return { entities, triples, times: [] }
}

/**
 * For each entity and relation, what the label `entity <> relation` finds: multitask models are trained on it. Labels
 * attend to each other, so all go into one pass, or as many as the model takes at once.
 */
async function statements(
  model: GlinerModel,
  text: string,
  mentions: readonly Mention[],
  { relations, relationThreshold, relationPrompt }: Wanted,
): Promise<Statement[]> {
  const subjects = new Map<string, Mention>()
  for (const mention of mentions) {
    const name = text.slice(mention.from, mention.to)
    if (!subjects.has(name)) subjects.set(name, mention)
  }
  const asked = relations.flatMap((relation) =>
    Array.from(subjects, ([subject, mention]) => ({ subject, mention, relation })),
  )
  const prefix = relationPrompt + AFTER_PROMPT
  const found: Statement[] = []
  for (let at = 0; at < asked.length; at += model.config.maxLabels) {
    const part = new Map(
      asked.slice(at, at + model.config.maxLabels).map((one) => [one.subject + JOINT + one.relation, one]),
    )
    const reading = { threshold: relationThreshold, multiLabel: true }
    for (const { from, to, label, score } of await model.mentions(prefix + text, [...part.keys()], reading)) {
      const { subject, mention, relation } = part.get(label)!
      const [start, end] = [from - prefix.length, to - prefix.length]
      const object = start < 0 ? '' : text.slice(start, end)
      if (object === '' || object === subject) continue
      const span = { from: Math.min(start, mention.from), to: Math.max(end, mention.to) }
      found.push({
        subject,
        predicate: relation,
        object,
        polarity: 'positive',
        modality: 'asserted',
        confidence: score,
        span,
      })
    }
  }
  return found
}
