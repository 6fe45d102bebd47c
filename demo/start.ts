// The main job, `npm start`: remembers the air-to-ground voice transcript of Apollo 13 in a folder, asks it some
// questions, and prints who said what and when.
import { createReadStream, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { styleText } from 'node:util'
import { Agidb, AgidbError, type Match } from '../src/runtimes/node/index.js'
import { readTranscript, rememberTranscript } from '../src/transfer/transcript/index.js'

const TRANSCRIPT = fileURLToPath(new URL('data/apollo13.jsonl', import.meta.url))
const FOLDER = 'memory/apollo13.agidb'
const PATH = fileURLToPath(new URL(`../${FOLDER}`, import.meta.url))
/** Lift-off, from which ground elapsed time counts. */
const LAUNCH = Date.parse('1970-04-11T19:13:00Z')
const ANSWERS = 3

const QUESTIONS = [
  'Did Houston ask them to stir the cryo tanks?',
  "Houston, we've had a problem",
  'Which bus had an undervolt?',
  'Who saw something venting into space?',
  'How do we put the plastic bag and tape around the canister?',
  'How cold was it in the cabin?',
  'What was missing from the spacecraft?',
  'When did they say farewell to Aquarius?',
  'What did they say about splashdown?',
]

const { stdout, stderr } = process
const print = (text: string) => stdout.write(`${text}\n`)
const count = (number: number) => number.toLocaleString('en')
const style = (format: 'bold' | 'dim' | 'cyan', text: string) =>
  stdout.isTTY && !process.env['NO_COLOR'] ? styleText(format, text) : text

async function main(): Promise<void> {
  print(`\n${style('bold', 'Apollo 13, 11 to 17 April 1970: what was said between the spacecraft and Houston')}\n`)
  const db = await Agidb.open({ path: PATH })
  try {
    await remember(db)
    for (const cue of QUESTIONS) {
      const { matches, elapsedMs } = await db.recall(cue, { k: ANSWERS })
      print(`\n${style('bold', cue)}  ${style('dim', `${elapsedMs.toFixed(1)} ms`)}`)
      for (const match of matches) print(described(match))
    }
  } finally {
    await db.close()
  }
  printFarewell()
}

/** Remembers the transcript, unless it is there; goes on where an earlier run was interrupted. */
async function remember(db: Agidb): Promise<void> {
  const total = readFileSync(TRANSCRIPT, 'utf8').trimEnd().split('\n').length
  const { episodes } = await db.stats()
  if (episodes >= total) {
    print(`${count(episodes)} utterances are in ${FOLDER} from an earlier run.`)
    return
  }
  print(`Remembering ${count(total)} utterances in ${FOLDER}, each safe on the disk before it counts …`)
  const started = performance.now()
  await rememberTranscript(db, readTranscript(createReadStream(TRANSCRIPT), { name: 'apollo13.jsonl' }), {
    onProgress: ({ remembered, known }) => {
      if (stderr.isTTY) stderr.write(`\r${Math.floor((100 * (remembered + known)) / total)} % `)
    },
  })
  if (stderr.isTTY) stderr.write('\r     \r')
  const seconds = (performance.now() - started) / 1000
  print(`Done in ${seconds.toFixed(1)} s, ${count(Math.round((total - episodes) / seconds))} a second.`)
}

/** How sure, by what kind of evidence, when and who, and below it what was said. */
function described({ confidence, tier, at, speaker, text }: Match): string {
  const sure = `${Math.round(100 * confidence)} %`.padStart(6)
  const when = `${at.slice(0, 10)} ${at.slice(11, 19)} UTC, ${elapsedTime(at)}`
  return [
    `${sure}  ${tier.padEnd(10)}  ${when}  ${style('cyan', speaker ?? '')}`,
    ...lines(text).map((line) => `        ${line}`),
  ].join('\n')
}

/** A text in lines that fit the terminal. */
function lines(text: string): string[] {
  const width = Math.min(stdout.columns || 80, 120) - 8
  const found = ['']
  for (const word of text.split(/\s+/)) {
    const longer = `${found.at(-1)} ${word}`.trimStart()
    if (longer.length > width && found.at(-1) !== '') found.push(word)
    else found[found.length - 1] = longer
  }
  return found
}

/** Ground elapsed time, hhh:mm:ss. */
function elapsedTime(at: string): string {
  const seconds = Math.round((Date.parse(at) - LAUNCH) / 1000)
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return parts.map((part, index) => String(part).padStart(index === 0 ? 3 : 2, '0')).join(':')
}

function printFarewell(): void {
  print(`
Ask a question of your own, and see why it answers as it does:
  ${style('cyan', `npm run agidb -- recall "What music did they play?" --why --db ${FOLDER}`)}
Remember a chat of your own (JSON lines, "Name: text" lines, WhatsApp, ChatGPT or Claude exports):
  ${style('cyan', 'npm run agidb -- remember chat.txt --db memory/my-chat')}
See it all in a browser tab:
  ${style('cyan', 'npm run demo')}
`)
}

try {
  await main()
} catch (error) {
  stderr.write(`${error instanceof AgidbError ? `${error.message} (${error.code})` : String(error)}\n`)
  process.exitCode = 1
}
