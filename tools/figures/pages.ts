import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Figures } from './render.js'

/** The root of the repository. */
const ROOT = new URL('../../', import.meta.url)

/** Where the figures are kept. */
export const STORE = pathOf('docs/figures.json')

/** The pages that may show figures, by their paths from the root of the repository. */
export function pages(): string[] {
  const docs = readdirSync(new URL('docs/', ROOT)).filter((name) => name.endsWith('.md'))
  return ['README.md', ...docs.map((name) => `docs/${name}`)]
}

/** The path of a page on this machine. */
export function pathOf(page: string): string {
  return fileURLToPath(new URL(page, ROOT))
}

/** What {@link STORE} holds. */
export function readFigures(): Figures {
  return JSON.parse(readFileSync(STORE, 'utf8')) as Figures
}
