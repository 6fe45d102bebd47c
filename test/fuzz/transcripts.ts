import { readFileSync } from 'node:fs'
import { readTranscript, type TranscriptFormat } from '../../src/transfer/transcript/index.js'
import { changed } from './calls.js'
import { mutate, type Random } from './mutate.js'
import type { Target } from './target.js'

const utf8 = new TextEncoder()
const FORMATS: readonly TranscriptFormat[] = [
  ...(['jsonl', 'chatgpt', 'claude', 'plain', 'whatsapp'] as const),
  ...(['mem0', 'zep', 'letta'] as const),
]
const IN_JSON: readonly TranscriptFormat[] = ['chatgpt', 'claude', 'mem0', 'zep', 'letta']
const SEEDS = (
  [
    ['chat.jsonl', 'jsonl'],
    ['chatgpt.json', 'chatgpt'],
    ['claude.json', 'claude'],
    ['mem0.json', 'mem0'],
    ['zep.json', 'zep'],
    ['letta.af', 'letta'],
    ['plain.txt', 'plain'],
    ['whatsapp-android.txt', 'whatsapp'],
    ['whatsapp-ios.txt', 'whatsapp'],
  ] as const
).map(([name, format]) => ({
  format,
  bytes: new Uint8Array(readFileSync(new URL(`../unit/transfer/transcript/fixtures/${name}`, import.meta.url))),
}))
const WORDS = [
  '"__proto__":{}',
  '[[[[[[[[',
  '{"mapping":{',
  '"parent":"a"',
  '"children":["a"]',
  '\\ud800',
  '\u200e',
  '[31/12/99, 23:59:59] ',
  'A: ',
  '\r\n',
  '\ufeff',
  '9'.repeat(40),
].map((word) => utf8.encode(word))

/** Anything at all as a transcript: messages come out of it, or it is refused. */
export const transcripts: Target = {
  name: 'transcript',
  stages: { 'a message': 0.4, 'all of it': 0.35 },
  async run(from, probe) {
    const seed = from.pick(SEEDS)
    const isJson = IN_JSON.includes(seed.format)
    const bytes =
      isJson && from.below(3) > 0 ? rewritten(seed.bytes, from) : mutate([seed.bytes.slice(0, 4096)], from, WORDS)
    const input =
      from.below(3) === 0
        ? [bytes.subarray(0, from.below(bytes.length)), bytes.subarray(from.below(bytes.length))]
        : bytes
    const format = from.pick(['auto', seed.format, from.pick(FORMATS)] as const)
    for await (const _ of readTranscript(input, {
      format,
      name: 'fuzz',
      skipBad: from.below(2) === 0,
      timeZone: 'UTC',
    }))
      probe.reached('a message')
    probe.reached('all of it')
  },
}

/** A transcript in JSON in which a few things are others. */
function rewritten(seed: Uint8Array, from: Random): Uint8Array {
  let content = JSON.parse(new TextDecoder().decode(seed)) as unknown
  for (let times = 1 + from.below(3); times > 0; times--) content = changed(content, from)
  return utf8.encode(
    JSON.stringify(content, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value)) ?? '',
  )
}
