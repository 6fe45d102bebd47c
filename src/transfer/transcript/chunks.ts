import { AgidbError } from '../../base/errors.js'
import { joinBytes } from '../../base/join-bytes.js'

/** Anything that a transcript can be read from: a text, its UTF-8 bytes, or either in pieces of any size. */
export type TranscriptInput =
  | string
  | Uint8Array
  | Iterable<string | Uint8Array>
  | AsyncIterable<string | Uint8Array>
  | ChunkStream

/** What of a web `ReadableStream` is used here, such as `file.stream()`. */
export interface ChunkStream {
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value?: string | Uint8Array }>
    cancel(): Promise<void>
  }
}

/**
 * The input as pieces of text. Bytes are UTF-8, or UTF-16 when they start with its byte order mark; what is no valid
 * Unicode becomes U+FFFD.
 *
 * @throws AgidbError `AGIDB_TRANSCRIPT` when the bytes are an archive instead of a text.
 */
export async function* textChunks(input: TranscriptInput): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined
  let start = new Uint8Array(0)
  for await (const piece of pieces(input)) {
    if (typeof piece === 'string') {
      yield piece
      continue
    }
    let bytes: Uint8Array = piece
    if (!decoder) {
      bytes = joinBytes([start, piece])
      if (bytes.length < 4) {
        start = bytes.slice()
        continue
      }
      decoder = decoderFor(bytes)
    }
    const text = decoder.decode(bytes, { stream: true })
    if (text !== '') yield text
  }
  if (!decoder && start.length > 0) {
    decoder = decoderFor(start)
    yield decoder.decode(start, { stream: true })
  }
  const rest = decoder?.decode()
  if (rest) yield rest
}

async function* pieces(input: TranscriptInput): AsyncGenerator<string | Uint8Array> {
  if (typeof input === 'string' || input instanceof Uint8Array) yield input
  else if (Symbol.asyncIterator in input || Symbol.iterator in input) yield* input
  else yield* read(input)
}

/** Some browsers cannot iterate over a stream yet. */
async function* read(stream: ChunkStream): AsyncGenerator<string | Uint8Array> {
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done || value === undefined) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

function decoderFor(bytes: Uint8Array): TextDecoder {
  const [a, b] = bytes
  if (a === 0x50 && b === 0x4b && bytes[2] === 3 && bytes[3] === 4) throw archive('a zip archive')
  if (a === 0x1f && b === 0x8b) throw archive('a gzip archive')
  if (a === 0xff && b === 0xfe) return new TextDecoder('utf-16le')
  if (a === 0xfe && b === 0xff) return new TextDecoder('utf-16be')
  return new TextDecoder()
}

function archive(what: string): AgidbError {
  const message = `the transcript is ${what}: unpack it and pass the chat inside (_chat.txt, conversations.json, …)`
  return new AgidbError('AGIDB_TRANSCRIPT', message, { line: 1, excerpt: '', format: 'auto' })
}
