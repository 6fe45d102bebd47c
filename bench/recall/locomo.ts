import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Observation } from '../../src/api/episode.js'
import type { Exam, Question } from './exam.js'
import { UsageError } from '../command.js'

interface Turn {
  readonly speaker: string
  readonly dia_id: string
  readonly text: string
  readonly blip_caption?: string
}

interface Asked {
  readonly question: string
  readonly evidence?: readonly string[]
  readonly category?: number | string
}

/**
 * Conversations in the form of LoCoMo: numbered sessions of turns, and questions whose evidence names
 * turns. One memory a turn; of the questions without an evidence turn those of category 5 have no answer, the others
 * (a few ask for a judgement) are left out. A conversation that is not English names its `language`.
 */
export async function readLocomo(folder: string): Promise<Exam[]> {
  const files = await jsonIn(folder)
  if (files.length === 0) throw new UsageError(`there are no .json files in ${folder}; --data takes LoCoMo-shaped json`)
  return Promise.all(files.map(async (file) => toExam(file, await read(folder, file))))
}

/**
 * Conversations of some folders, each with the questions of the file of its name in another folder instead of its own.
 * Those without such a file are left out.
 */
export async function readWithQuestions(folders: readonly string[], questions: string): Promise<Exam[]> {
  const asked = new Set(await jsonIn(questions))
  const found = (await Promise.all(folders.map(async (folder) => (await jsonIn(folder)).map((file) => [folder, file]))))
    .flat()
    .filter(([, file]) => asked.has(file))
  if (found.length === 0)
    throw new UsageError(`no file in ${questions} has the name of one in ${folders.join(', ')}; --questions needs one`)
  return Promise.all(
    found.map(async ([folder, file]) => {
      const { qa } = await read(questions, file)
      return toExam(file, { ...(await read(folder, file)), qa })
    }),
  )
}

async function jsonIn(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((file) => file.endsWith('.json')).sort()
}

async function read(folder: string, file: string): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(join(folder, file), 'utf8')) as Record<string, unknown>
}

/** An exam from a conversation with its questions. */
export function toExam(name: string, conversation: Record<string, unknown>): Exam {
  const observations: Observation[] = []
  const index = new Map<string, number>()
  for (let n = 1; `session_${n}_date_time` in conversation || `session_${n}` in conversation; n++) {
    const start = parseDate(String(conversation[`session_${n}_date_time`] ?? ''))
    ;((conversation[`session_${n}`] ?? []) as Turn[]).forEach((turn, i) => {
      index.set(turn.dia_id, observations.length)
      const caption = turn.blip_caption === undefined ? '' : ` [shares ${turn.blip_caption}]`
      observations.push({
        text: turn.text + caption,
        speaker: turn.speaker,
        session: `${name}/${n}`,
        at: start + i * 1000,
      })
    })
  }
  const questions: Question[] = []
  const unanswerable: Question[] = []
  for (const { question, evidence = [], category } of conversation.qa as Asked[]) {
    // Some evidence lists several turns in one string.
    const turns = evidence.flatMap((text) => text.match(/D\d+:\d+/g) ?? [])
    const gold = [...new Set(turns.map((turn) => index.get(turn)).filter((at) => at !== undefined))]
    if (gold.length > 0) questions.push({ cue: question, gold, kind: String(category) })
    else if (category === 5) unanswerable.push({ cue: question, gold, kind: 'none' })
  }
  const { kind: textKind, language } = conversation as { readonly kind?: string; readonly language?: string }
  return { name, textKind, language, observations, questions, unanswerable }
}

/** `1:56 pm on 8 May, 2023`, taken as UTC. */
function parseDate(text: string): number {
  const [, hour, minute, half, date] = /^(\d+):(\d+) (am|pm) on (.+)$/i.exec(text) ?? []
  const day = Date.parse(`${date} UTC`)
  if (Number.isNaN(day)) throw new Error(`unreadable session date ${JSON.stringify(text)}`)
  return day + ((Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0)) * 3_600_000 + Number(minute) * 60_000
}
