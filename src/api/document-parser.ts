import type { JsonObject } from './json.js'
import type { EntryLevel } from './entry-facet.js'

/** A piece of a document as a parser cuts it, in the order of the document. */
export interface ParsedPiece {
  /** 1 to 6 for a heading with what stands right below it, 7 for content. */
  readonly level: EntryLevel
  /** Index of the piece that it is in, which comes before it. Absent for a root. */
  readonly parent?: number
  /** Its own heading, as plain text. Absent for content. */
  readonly heading?: string
  /** Offsets in the text of the document, in UTF-16 units, half-open. The slice is the content; not empty. */
  readonly start: number
  readonly end: number
}

/** A document in pieces. */
export interface ParsedDocument {
  /** What offsets count in: the source itself, or the text that was read out of bytes. */
  readonly text: string
  readonly pieces: readonly ParsedPiece[]
  /** The title that the document gives itself: of front matter, or of `<title>`. */
  readonly title?: string
  /** What else it says of itself: front matter. */
  readonly metadata?: JsonObject
}

/** Turns documents of one kind into pieces. */
export interface DocumentParser {
  /** What messages call it: `markdown`. */
  readonly id: string
  /** Endings of the names of files that it reads, lower case, without the dot. */
  readonly extensions: readonly string[]
  /**
   * Cuts a document into pieces: at its structure first, then at sentences. The same document gives the same pieces on
   * every runtime.
   *
   * @param document its text, or its bytes where it is no text
   * @throws AgidbError `AGIDB_PARSE` for what is no such document
   */
  parse(document: string | Uint8Array, source: string): ParsedDocument | Promise<ParsedDocument>
}
