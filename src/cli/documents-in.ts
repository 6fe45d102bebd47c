import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { AgidbError } from '../base/errors.js'
import { languageOf } from '../documents/code/languages.js'

/** Endings of the files of a folder that are read; a file that is named is read whatever its ending is. */
const ENDINGS = /\.(?:md|markdown|mdx|mkd|html|htm|xhtml|txt|text|pdf)$/i
/** Folders that hold no documents of one's own. */
const SKIPPED = new Set(['node_modules', 'target', 'dist', 'build'])

/**
 * The documents of files and folders, sorted, each once. Hidden files and folders are left out. Source code of a folder
 * counts as documents where the parser is `code`, and then nothing else does.
 *
 * @throws AgidbError `AGIDB_NOT_FOUND` for a path where nothing is
 */
export function documentsIn(paths: readonly string[], parser?: string): string[] {
  const found = new Set<string>()
  for (const path of paths) {
    const stats = statSync(path, { throwIfNoEntry: false })
    if (stats === undefined) throw new AgidbError('AGIDB_NOT_FOUND', `there is no file or folder ${path}`, { path })
    if (stats.isDirectory()) for (const file of walked(path, parser)) found.add(file)
    else found.add(path)
  }
  return [...found].sort()
}

/** Whether a file of a folder is a document. */
export function isDocument(path: string, parser?: string): boolean {
  return (
    hasEnding(path, parser) &&
    !path.split('/').some((name) => SKIPPED.has(name) || (name.startsWith('.') && name !== '.' && name !== '..'))
  )
}

function* walked(folder: string, parser: string | undefined): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name.startsWith('.') || (entry.isDirectory() && SKIPPED.has(entry.name))) continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* walked(path, parser)
    else if (entry.isFile() && hasEnding(entry.name, parser)) yield path
  }
}

function hasEnding(path: string, parser: string | undefined): boolean {
  return parser === 'code' ? languageOf(path) !== undefined : ENDINGS.test(path)
}
