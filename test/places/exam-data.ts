import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Exam } from './exam.ts'

const CONVERSATIONS = fileURLToPath(new URL('../../bench/data/conversations/', import.meta.url))
/** Each nth session is one of the exam. */
const SESSIONS = 3
const QUESTIONS = 200
const START = Date.UTC(2026, 0, 1)
const MINUTE = 60_000

/** Turns of the conversations of `bench/data/conversations`; each question is the first half of one of them. */
export async function conversations(): Promise<Exam> {
  const turns: (Exam['turns'][number] & { readonly text: string })[] = []
  let sessions = 0
  for (const file of (await readdir(CONVERSATIONS)).sort()) {
    const conversation = JSON.parse(await readFile(CONVERSATIONS + file, 'utf8')) as Record<string, unknown>
    for (const [name, said] of Object.entries(conversation)) {
      if (!/^session_\d+$/.test(name) || ++sessions % SESSIONS !== 0) continue
      for (const { dia_id, speaker, text } of said as { dia_id: string; speaker: string; text: string }[])
        turns.push({
          id: `${file} ${dia_id}`,
          text,
          speaker,
          session: `${file} ${name}`,
          at: START + turns.length * MINUTE,
        })
    }
  }
  const step = Math.floor(turns.length / QUESTIONS)
  const questions = Array.from({ length: QUESTIONS }, (_, i) => firstHalf(turns[i * step].text))
  return { turns, questions, forgotten: turns[Math.floor(turns.length / 2)].session! }
}

/** The first half of a text; an emoji is not cut in two. */
function firstHalf(text: string): string {
  const characters = [...text]
  return characters.slice(0, Math.ceil(characters.length / 2)).join('')
}
