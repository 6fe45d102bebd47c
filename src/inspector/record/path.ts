import type { EdgeKind, WhyStep } from '../../api/graph.js'
import type { Database } from '../../api/scope.js'
import { short } from '../dom/format.js'

const EDGES: Readonly<Record<EdgeKind, string>> = {
  association: 'often together with',
  forward: 'followed by',
  backward: 'preceded by',
  entity: 'shares',
  pageRank: 'near by all ways to',
}

/** The path of a graph in words: `“Sarah: …”, shares Bawri`. */
export async function pathOf(db: Pick<Database, 'getEpisode'>, steps: readonly WhyStep[]): Promise<string> {
  const [first] = steps
  const begin = await nameOf(db, first.from)
  return [begin, ...(await Promise.all(steps.map((step) => stepOf(db, step))))].join(', ')
}

/** How one episode leads to another, in words, without where it begins. */
export function leads(steps: readonly WhyStep[], isEpisode: (id: string) => boolean): string {
  const names = steps.flatMap(({ from, to }) => [from, to]).filter((end) => !isEpisode(end))
  if (names.length > 0) return `both name ${[...new Set(names)].join(', ')}`
  const told = steps.map(({ edge }) => TOLD[edge as EdgeKind] ?? edge)
  return [...new Set(told)].join(', then ')
}

const TOLD: Readonly<Record<EdgeKind, string>> = {
  association: 'often together',
  forward: 'came next',
  backward: 'came before',
  entity: 'names the same',
  pageRank: 'near by all ways',
}

async function stepOf(db: Pick<Database, 'getEpisode'>, { edge, to }: WhyStep): Promise<string> {
  return `${EDGES[edge as EdgeKind] ?? edge} ${await nameOf(db, to)}`
}

async function nameOf(db: Pick<Database, 'getEpisode'>, end: string): Promise<string> {
  const episode = await db.getEpisode(end).catch(() => undefined)
  return episode === undefined ? end : `“${short(episode.text, 60)}”`
}
