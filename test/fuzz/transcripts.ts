import { readFileSync } from 'node:fs'
import { readTranscript, type TranscriptFormat } from '../../src/transcript/index.js'
import { mutate } from './mutate.js'
import type { Target } from './target.js'

const utf8 = new TextEncoder()
const NAMES = ['chat.jsonl', 'chatgpt.json', 'claude.json', 'plain.txt', 'whatsapp-android.txt', 'whatsapp-ios.txt']
const SEEDS = NAMES.map((name) => new Uint8Array(readFileSync(new URL(`../transcript/fixtures/${name}`, import.meta.url))).slice(0, 4096))
const FORMATS: readonly (TranscriptFormat | 'auto')[] = ['auto', 'auto', 'jsonl', 'chatgpt', 'claude', 'plain', 'whatsapp'] as never
const WORDS = ['"__proto__":{}', '[[[[[[[[', '{"mapping":{', '"parent":"a"', '"children":["a"]', '\\ud800', '\u200e', '[31/12/99, 23:59:59] ', 'A: ', '\r\n', '\ufeff', '9'.repeat(40)].map((word) => utf8.encode(word))

/** Anything at all as a transcript: messages come out of it, or it is refused. */
export const transcripts: Target = {
  name: 'transcript',
  async run(from) {
    const bytes = mutate(SEEDS, from, WORDS)
    const input = from.below(3) === 0 ? [bytes.subarray(0, from.below(bytes.length)), bytes.subarray(from.below(bytes.length))] : bytes
    const transcript = readTranscript(input, { format: from.pick(FORMATS), name: 'fuzz', skipBad: from.below(2) === 0, timeZone: 'UTC' })
    for await (const _ of transcript);
  },
}
