import { readFile } from 'node:fs/promises'
import type { Observation } from '../../src/api/episode.js'
import type { Exam } from './exam.js'
import { UsageError } from '../command.js'

interface Asked {
  readonly id: string | number
  readonly question: string
  readonly kind: string
  readonly gold: readonly number[]
}

/** A transcript in JSON lines and questions `{ id, question, kind, gold: [line index from 0] }` about it. */
export async function readTranscriptExam(transcript: string, questions: string): Promise<Exam> {
  const observations = await readTranscript(transcript)
  const asked = JSON.parse(await readFile(questions, 'utf8')) as Asked[]
  for (const { id, gold } of asked) {
    const wrong = gold.find((index) => !(index in observations))
    if (wrong !== undefined) throw new UsageError(`question ${id}: there is no line ${wrong} in ${transcript}`)
  }
  return {
    name: transcript,
    observations,
    questions: asked.map(({ question, kind, gold }) => ({ cue: question, kind, gold })),
    unanswerable: [],
  }
}

/** A transcript in JSON lines: one conversation, unless the lines say otherwise, as `agidb remember` takes it. */
export async function readTranscript(transcript: string): Promise<Observation[]> {
  const lines = (await readFile(transcript, 'utf8')).split('\n').filter((line) => line.trim() !== '')
  return lines.map((line): Observation => {
    const { text, speaker, session = transcript, at } = JSON.parse(line) as Observation
    return { text, speaker, session, at }
  })
}
