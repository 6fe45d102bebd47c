import { createReadStream, statSync } from 'node:fs'
import { basename } from 'node:path'
import { Option, type Command } from 'commander'
import { AgidbError } from '../base/errors.js'
import {
  FORMATS,
  readTranscript,
  rememberTranscript,
  type Remembered,
  type TranscriptFormat,
  type TranscriptReport,
} from '../transfer/transcript/index.js'
import { DB_HELP } from './configuration.js'
import { allEncoded, allExtracted } from './background-work.js'
import { interruption } from './interruption.js'
import { openWhenFree, type Opened } from './open.js'
import { EXIT_HELP, print, printJson } from './output.js'
import { ProgressBar } from './progress-bar.js'
import { checkReadable } from './readable.js'
import { terminalOf } from './terminal.js'

interface RememberFlags {
  readonly db: string
  readonly format: TranscriptFormat | 'auto'
  readonly session?: string
  readonly source?: string
  readonly timeZone: string
  readonly extract: 'rules' | 'none'
  readonly skipBad?: boolean
  readonly json?: boolean
}

/** What became of one file. */
interface FileResult extends Remembered {
  readonly file: string
  readonly seconds: number
  readonly report: TranscriptReport
}

/** Adds `agidb remember` to the program. */
export function addRemember(program: Command): void {
  program
    .command('remember')
    .summary('remember transcripts')
    .description(
      'Remembers transcripts: JSON lines, plain "Name: text" lines, WhatsApp exports, ChatGPT and Claude ' +
        'conversations.json, memories of mem0, messages and facts of Zep, agent files of Letta. ' +
        'To remember a file again is safe: what is known already is not remembered twice.',
    )
    .argument('<file...>', 'transcripts; - is standard input')
    .option('--db <folder>', `the memory, a folder; made when it is not there; ${DB_HELP}`)
    .addOption(
      new Option('--format <format>', 'how the transcripts are written')
        .choices(['auto', ...Object.keys(FORMATS)])
        .default('auto'),
    )
    .option(
      '--session <name>',
      'the session of all that is remembered (default: as the transcript says, else the file name)',
    )
    .option(
      '--source <name>',
      'the source of all that is remembered (default: as the transcript says, else the file name)',
    )
    .option(
      '--time-zone <zone>',
      'the zone of times that are written without one, such as Europe/Berlin or +05:30',
      'UTC',
    )
    .addOption(
      new Option('--extract <extractor>', 'what reads statements out of the texts')
        .choices(['rules', 'none'])
        .default('rules'),
    )
    .option('--skip-bad', 'leave lines out that cannot be read, and say how many')
    .option('--json', 'print what was done as JSON')
    .addHelpText(
      'after',
      `
Example:
  $ agidb remember "WhatsApp Chat with Priya.txt" --time-zone Asia/Kolkata --db memory
${EXIT_HELP}`,
    )
    .action(remember)
}

async function remember(files: string[], flags: RememberFlags): Promise<void> {
  for (const file of files) if (file !== '-') checkReadable(file, 'a transcript')
  // An unknown zone must not make a folder.
  readTranscript('', { timeZone: flags.timeZone })
  const interrupted = interruption()

  const results: FileResult[] = []
  const reading = new ProgressBar(process.stderr, 'statements')
  const db = await openWhenFree(flags.db, { extract: flags.extract, encodes: true })
  let episodes: number
  try {
    for (const file of files) {
      const result = await rememberFile(db, file, flags, interrupted.signal)
      results.push(result)
      if (!flags.json) describe(result)
    }
    await allExtracted(db, interrupted.signal, (done, total) =>
      reading.update({ said: count(done, 'text', 'texts'), share: done / total }),
    )
    await allEncoded(db, interrupted.signal, (done, total) =>
      reading.update({ said: count(done, 'latent', 'latents'), share: done / total }),
    )
    episodes = (await db.stats()).episodes
  } finally {
    reading.clear()
    await db.close()
    interrupted.release()
  }
  if (flags.json) printJson({ episodes, files: results.map(toJson) })
  else print(`${count(episodes, 'memory', 'memories')} in ${flags.db}`)
}

async function rememberFile(db: Opened, file: string, flags: RememberFlags, signal: AbortSignal): Promise<FileResult> {
  const started = performance.now()
  const stdin = file === '-'
  const name = stdin ? 'standard input' : basename(file)
  const size = stdin ? 0 : statSync(file).size
  const progress = new ProgressBar(process.stderr, name)
  let read = 0
  let done: Remembered

  const transcript = readTranscript(
    counted(open(file, signal), (bytes) => {
      read += bytes
    }),
    {
      format: flags.format,
      name,
      session: flags.session,
      source: flags.source,
      timeZone: flags.timeZone,
      skipBad: flags.skipBad,
    },
  )
  try {
    done = await rememberTranscript(db, transcript, {
      signal,
      onProgress: (sofar) => {
        progress.update({
          said: count(sofar.remembered + sofar.known, 'memory', 'memories'),
          ...(size > 0 ? { share: Math.min(read / size, 1) } : {}),
        })
      },
    })
  } catch (error) {
    throw withHint(error, transcript.report)
  } finally {
    progress.clear()
  }
  return { file: name, ...done, seconds: (performance.now() - started) / 1000, report: transcript.report }
}

/** The error with what can be done about it. */
function withHint(error: unknown, { format }: TranscriptReport): unknown {
  if (!(error instanceof AgidbError) || error.code !== 'AGIDB_TRANSCRIPT' || format === undefined) return error
  return new AgidbError(error.code, `${error.message} (--skip-bad leaves such lines out)`, error.details, {
    cause: error,
  })
}

async function* open(file: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const stream = file === '-' ? process.stdin : createReadStream(file)
  const stop = () => stream.destroy(new AgidbError('AGIDB_ABORTED', 'stopped'))
  signal.addEventListener('abort', stop)
  try {
    for await (const bytes of stream) yield bytes as Uint8Array
  } catch (cause) {
    if (cause instanceof AgidbError) throw cause
    throw new AgidbError(
      'AGIDB_STORAGE',
      `reading ${file} failed: ${(cause as Error).message}`,
      { path: file },
      { cause },
    )
  } finally {
    signal.removeEventListener('abort', stop)
    stream.destroy()
  }
}

async function* counted(
  chunks: AsyncIterable<Uint8Array>,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    onBytes(chunk.length)
    yield chunk
  }
}

/** Says in a line or two what became of a file. */
function describe({ file, remembered, known, seconds, report }: FileResult): void {
  const { style } = terminalOf(process.stdout)
  const facts = [`${count(remembered, 'memory', 'memories')} in ${seconds.toFixed(1)} s`]
  if (known > 0) facts.push(`already known: ${known.toLocaleString('en')}`)
  if (report.empty > 0) facts.push(`without text: ${report.empty}`)
  if (report.system > 0) facts.push(`notices and media left out: ${report.system}`)
  if (report.repaired > 0) facts.push(`repaired: ${report.repaired}`)
  if (report.split > 0) facts.push(`long texts split: ${report.split}`)
  if (report.bad > 0) facts.push(`bad lines skipped: ${report.bad}`)
  const format = report.format === undefined ? 'empty' : FORMATS[report.format].title
  print(`${style('bold', file)} (${format}): ${facts.join(', ')}`)
  for (const error of report.firstBad) process.stderr.write(`agidb: skipped ${error.message}\n`)
}

function toJson({ file, remembered, known, seconds, report }: FileResult): Record<string, unknown> {
  const { firstBad, ...counts } = report
  return {
    file,
    remembered,
    known,
    seconds,
    ...counts,
    firstBad: firstBad.map(({ message, details }) => ({ message, details })),
  }
}

function count(number: number, one: string, many: string): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`
}
