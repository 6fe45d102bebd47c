import { styleText } from 'node:util'
import type { Writable } from 'node:stream'

/** Where a command writes for people. */
export interface Terminal {
  readonly columns: number
  /** The text in a style where the terminal has styles, else the text. */
  style(style: Style, text: string): string
}

export type Style = 'bold' | 'dim' | 'cyan' | 'green' | 'yellow' | 'red'

/**
 * What a stream can show. Styles only on a terminal, and not where `NO_COLOR` (no-color.org) or a dumb terminal forbids
 * them.
 */
export function terminalOf(stream: Writable & { readonly isTTY?: boolean; readonly columns?: number }): Terminal {
  const styled = stream.isTTY === true && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb'
  return {
    columns: Math.min(Math.max(stream.columns || 80, 40), 120),
    style: (style, text) => (styled ? styleText(style, text) : text),
  }
}

/**
 * Characters that a terminal obeys instead of showing them: control characters (C0 but for the line feed, DEL, C1)
 * and marks that change the direction of writing (Unicode Bidirectional Algorithm, UAX #9, section 2).
 */
const OBEYED = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** The text without the characters that a terminal would obey. */
export function printable(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/\t/g, '  ').replace(OBEYED, '')
}

/** JSON in which the characters that a terminal would obey are escaped: it parses to the same value. */
export function printableJson(json: string): string {
  return json.replace(OBEYED, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
/** Letters of East Asian scripts, their full-width forms and punctuation. */
const EAST_ASIAN =
  String.raw`\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}` +
  String.raw`\u3000-\u303f\uff01-\uff60`
/** A grapheme that takes two columns: an East Asian letter or an emoji. */
const WIDE = new RegExp(String.raw`[${EAST_ASIAN}]|\p{Emoji_Presentation}|\ufe0f`, 'u')
const NO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]+$/u

/** Columns that a text takes on a terminal. */
export function widthOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length
  let width = 0
  for (const { segment } of graphemes.segment(text)) width += NO_WIDTH.test(segment) ? 0 : WIDE.test(segment) ? 2 : 1
  return width
}

/** A text in lines of at most `width` columns, broken at spaces where there are any. */
export function wrap(text: string, width: number): string[] {
  return text.split('\n').flatMap((paragraph) => {
    const lines: string[] = []
    let line = ''
    for (const word of paragraph.split(' ').flatMap((part) => cut(part, width))) {
      if (line !== '' && widthOf(line) + 1 + widthOf(word) > width) {
        lines.push(line)
        line = word
      } else {
        line = line === '' ? word : `${line} ${word}`
      }
    }
    return [...lines, line]
  })
}

/** A word in pieces of at most `width` columns. */
function cut(word: string, width: number): string[] {
  if (widthOf(word) <= width) return [word]
  const pieces: string[] = []
  let piece = ''
  for (const { segment } of graphemes.segment(word)) {
    if (piece !== '' && widthOf(piece + segment) > width) {
      pieces.push(piece)
      piece = ''
    }
    piece += segment
  }
  return [...pieces, piece]
}
