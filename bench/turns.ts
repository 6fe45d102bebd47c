import { readFile } from 'node:fs/promises'
import type { Observation } from '../src/api/episode.js'

/** The turns of transcripts in JSON lines, one after the other. */
export async function readTurns(...transcripts: readonly string[]): Promise<Observation[]> {
  const files = await Promise.all(transcripts.map((path) => readFile(path, 'utf8')))
  const lines = files.flatMap((file) => file.split('\n')).filter((line) => line.trim() !== '')
  return lines.map((line) => {
    const { text, speaker, at } = JSON.parse(line) as Observation
    return { text, speaker, at }
  })
}
