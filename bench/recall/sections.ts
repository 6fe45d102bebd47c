import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Entry } from '../../src/api/entry.js'
import type { Equipment } from '../../src/api/ranker.js'
import { readDocument } from '../../src/cli/read-document.js'
import { examplesOf } from '../../src/training/examples.js'
import type { Example } from '../../src/training/train.js'
import { engine } from './examples.js'
import { encoded } from './sentences.js'

/** A section of a document, by its heading. */
export interface Section {
  /** What the path of the document ends with. */
  readonly source: string
  readonly heading: string
}

/** A question about a section. The `set` of one that none answers is `none`. */
export interface SectionQuestion extends Section {
  readonly set: string
  readonly question: string
  /** Other sections that answer it. */
  readonly also?: readonly Section[]
  /** The file of the document, or of one that the question sounds like, from the root of the repository. */
  readonly path?: string
}

/** Whether an entry is a section, or a passage or a summary in it. */
export function isIn({ source: from, places }: Entry, { source, heading }: Section): boolean {
  const wanted = plain(heading)
  const headings = places.flatMap((place) => [...place.path, ...(place.heading ? [place.heading] : [])])
  return from?.endsWith(source) === true && headings.some((one) => plain(one) === wanted)
}

/** A heading without its marks. */
function plain(text: string): string {
  return text
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*_<>]/g, '')
    .trim()
}

/** What a ranker sees of questions about the documents of one memory. */
export async function sectionExamples(file: string, equipment: Equipment): Promise<Example[]> {
  const questions = JSON.parse(readFileSync(file, 'utf8')) as readonly SectionQuestion[]
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const db = await engine(equipment)
  for (const path of new Set(questions.flatMap(({ path }) => path ?? [])))
    await db.entries.ingest((await readDocument(join(root, path), undefined)).document, { source: path })
  await encoded(db)
  const entries: Entry[] = []
  for (const { source } of await db.entries.sources())
    entries.push(...(await db.entries.browse({ source, limit: 1_000 })))
  const examples: Example[] = []
  for (const { set, question, also = [], ...section } of questions) {
    const wanted = set === 'none' ? [] : [section, ...also]
    const ids = entries.filter((entry) => wanted.some((one) => isIn(entry, one))).map(({ id }) => id)
    examples.push(...(await examplesOf(db, [{ cue: question, ids }], section.source)))
  }
  await db.close()
  return examples
}
