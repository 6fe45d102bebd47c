import { type FSWatcher, statSync, watch } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Command } from 'commander'
import type { IngestReport } from '../api/entry.js'
import { AgidbError } from '../base/errors.js'
import { DB_HELP } from './configuration.js'
import { counted } from './counted.js'
import { documentsIn, isDocument } from './documents-in.js'
import { allEncoded } from './background-work.js'
import { interruption } from './interruption.js'
import { openWhenFree, type Opened } from './open.js'
import { EXIT, EXIT_HELP, print, printJson } from './output.js'
import { ProgressBar } from './progress-bar.js'
import { readDocument } from './read-document.js'
import { terminalOf } from './terminal.js'

interface AddFlags {
  readonly db: string
  readonly parser?: string
  readonly perspective?: readonly string[]
  readonly visibility?: string
  readonly watch?: boolean
  readonly json?: boolean
}

/** What became of one document. */
type Result = Omit<IngestReport, 'entries'> & { readonly entries: number }

/** Errors that say that a document cannot be read. */
const UNREAD: ReadonlySet<string> = new Set(['AGIDB_PARSE', 'AGIDB_UNSUPPORTED'])
/** Milliseconds after a change before a document is read again: editors write in several steps. */
const QUIET_MS = 200

/** Adds `agidb add` to the program. */
export function addAdd(program: Command): void {
  program
    .command('add')
    .summary('store documents')
    .description(
      'Stores documents as entries: Markdown, HTML, PDF, source code and plain text, by their sections and passages. ' +
        'A document that was stored before is skipped if it is the same; if not, what changed is stored.',
    )
    .argument('<path...>', 'files, or folders that are searched for documents')
    .option('--db <folder>', `the memory, a folder; made when it is not there; ${DB_HELP}`)
    .option('--parser <name>', 'what reads them: markdown, html, text, pdf or code (default: by the ending of each)')
    .option('--perspective <name...>', 'the sides from which they are seen, such as knowledge or decisions')
    .option('--visibility <name>', 'always, normal, deep_only, seasonal, or one of your own')
    .option('--watch', 'go on, and store what changes in these files and folders')
    .option('--json', 'print what was done as JSON')
    .addHelpText('after', `\nExample:\n  $ agidb add docs README.md --db memory\n${EXIT_HELP}`)
    .action(add)
}

async function add(paths: string[], flags: AddFlags): Promise<void> {
  const files = documentsIn(paths, flags.parser)
  if (files.length === 0)
    throw new AgidbError('AGIDB_NOT_FOUND', `there is no document in ${paths.join(', ')}`, { paths })
  const interrupted = interruption()
  const progress = new ProgressBar(process.stderr, 'documents')
  const db = await openWhenFree(flags.db, { extract: 'none', encodes: true })
  const started = performance.now()
  const results: Result[] = []
  const failed: { readonly source: string; readonly code: string; readonly message: string }[] = []
  try {
    for (const [i, file] of files.entries()) {
      if (interrupted.signal.aborted) throw new AgidbError('AGIDB_ABORTED', `stopped after ${i} documents`)
      progress.update({ said: file, share: i / files.length })
      try {
        results.push(await stored(db, file, flags))
      } catch (error) {
        // The others are stored nevertheless.
        if (!(error instanceof AgidbError) || !UNREAD.has(error.code)) throw error
        failed.push({ source: file, code: error.code, message: error.message })
      }
    }
    await allEncoded(db, interrupted.signal, (done, total) =>
      progress.update({ said: `${done.toLocaleString('en')} latents`, share: done / total }),
    )
    progress.clear()
    if (flags.json) printJson({ documents: results, failed, seconds: secondsSince(started) })
    else describe(results, failed, secondsSince(started))
    if (failed.length > 0) process.exitCode = EXIT.failed
    if (flags.watch) await follow(db, paths, flags, interrupted.signal)
  } finally {
    progress.clear()
    await db.close()
    interrupted.release()
  }
}

async function stored(db: Opened, file: string, { parser, perspective, visibility }: AddFlags): Promise<Result> {
  const { document, ...read } = await readDocument(file, parser)
  const report = await db.entries.ingest(document, {
    source: file,
    ...read,
    ...(perspective !== undefined && { perspectives: perspective }),
    ...(visibility !== undefined && { visibility }),
  })
  return { ...report, entries: report.entries.length }
}

function describe(
  results: readonly Result[],
  failed: readonly { readonly source: string; readonly message: string }[],
  seconds: number,
): void {
  const { style } = terminalOf(process.stdout)
  const sum = (count: (result: Result) => number) => results.reduce((all, one) => all + count(one), 0)
  const changed = results.filter(({ added, moved, superseded }) => added + moved + superseded > 0)
  for (const { source, added, moved, superseded } of changed)
    print(`${style('bold', source)}: ${added} added, ${moved} moved, ${superseded} superseded`)
  for (const { source, message } of failed) process.stderr.write(`agidb: ${source}: ${message}\n`)
  print(
    `${counted(results.length, 'document')} in ${seconds.toFixed(1)} s: ` +
      `${counted(
        sum(({ added }) => added),
        'entry',
        'entries',
      )} added, ` +
      `${sum(({ kept }) => kept)} as before, ${sum(({ superseded }) => superseded)} superseded`,
  )
}

/** Stores documents again when they change, until the signal fires. */
async function follow(db: Opened, paths: readonly string[], flags: AddFlags, signal: AbortSignal): Promise<void> {
  // Who interrupts while the last document is stored is not waited for again.
  if (signal.aborted) return
  const waiting = new Map<string, ReturnType<typeof setTimeout>>()
  const changed = (file: string) => {
    clearTimeout(waiting.get(file))
    waiting.set(
      file,
      setTimeout(() => {
        waiting.delete(file)
        stored(db, file, flags).then(
          (result) => (flags.json ? printJson(result) : describe([result], [], 0)),
          (error: unknown) => void process.stderr.write(`agidb: ${file}: ${(error as Error).message}\n`),
        )
      }, QUIET_MS),
    )
  }
  const watchers = paths.map((path) => watcherOf(path, flags.parser, changed))
  process.stderr.write(`agidb: watching ${paths.join(', ')}; Ctrl+C ends it\n`)
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
  for (const watcher of watchers) watcher.close()
  for (const timer of waiting.values()) clearTimeout(timer)
}

/**
 * Watches a folder, or a file. Of a file the folder is watched: a program that saves it may put another file in its
 * place, and what watches the file itself would go on with the old one.
 */
function watcherOf(path: string, parser: string | undefined, changed: (file: string) => void): FSWatcher {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  const watcher = isFolder
    ? watch(path, { recursive: true }, (_, name) => {
        if (name !== null && isDocument(name, parser)) changed(join(path, name))
      })
    : watch(dirname(path), (_, name) => {
        if (name === null || name === basename(path)) changed(path)
      })
  return watcher.on('error', (error) => void process.stderr.write(`agidb: ${path}: ${error.message}\n`))
}

function secondsSince(started: number): number {
  return (performance.now() - started) / 1000
}
