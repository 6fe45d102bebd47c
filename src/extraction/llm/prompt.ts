import type { ExtractionContext } from '../../api/extractor.js'

const TASK = `Read the statements that the text makes, and the entities that it names. Answer with JSON alone.
- A statement is a subject, a predicate and an object. Name people by their names: "I" and "my" are the speaker.
- A predicate is a verb in the present of the third person with its preposition: lives in, works for, likes, is.
- polarity: negative where the text says that it is not so. Keep the predicate positive.
- modality: asserted, planned, wished, asked, reported (somebody else says so) or possible (maybe, if).
- quote: the words of the text that say it, copied to the letter. mention: the same for an entity.
- type: person, place, organisation, date, or another noun.
- Leave out what you would have to guess. A text that states nothing has empty lists.`

/**
 * The prompt for one text. What was said is given as JSON strings, so that nothing in it reads as an instruction of
 * ours.
 *
 * @param wrong what was wrong with the answer before, if there was one.
 */
export function promptFor(
  text: string,
  { speaker, others, at, before = [] }: ExtractionContext,
  wrong: string,
): string {
  const said = before.map((turn) => `${turn.speaker ?? 'somebody'}: ${JSON.stringify(turn.text)}`)
  const lines = [
    TASK,
    '',
    `Time: ${at}`,
    `Speaker: ${speaker ?? 'unknown'}`,
    ...(others === undefined ? [] : [`Spoken to: ${others.join(', ')}`]),
    ...(said.length === 0 ? [] : ['Said before:', ...said]),
    `Text: ${JSON.stringify(text)}`,
    ...(wrong === '' ? [] : ['', `Your last answer was refused: ${wrong}`]),
  ]
  return lines.join('\n')
}
