import { besideTimes } from './beside.js'
import { dates } from './dates.js'
import { apart, type Expression } from './expression.js'
import { mayNameTime } from './gate.js'
import { isSound } from './interval.js'
import { languageOf } from './language.js'
import { leant, type Lean, tense, type Towards } from './leaning.js'
import type { Language } from './vocabulary.js'
import { ranges } from './ranges.js'
import { relativeTimes } from './relative.js'

/** Longest piece that is read at once: the time that reading takes may grow faster than the text. */
const PIECE = 400

/** The expressions of time in a text, in order, with what they mean when said at `reference` (epoch ms). */
export function expressions(text: string, reference: number, lean: Lean = tense): Expression[] {
  if (!mayNameTime(text) || Number.isNaN(new Date(reference).getTime())) return []
  const language = languageOf(text)
  return pieces(text).flatMap(([start, piece]) =>
    mayNameTime(piece)
      ? read(piece, reference, language, lean(text, language)).map((one) => ({
          ...one,
          start: one.start + start,
          end: one.end + start,
        }))
      : [],
  )
}

function read(text: string, reference: number, language: Language, towards: Towards): Expression[] {
  const plain = [...relativeTimes(text, reference, language), ...dates(text, reference, language)]
  const known = plain.filter(({ interval }) => isSound(interval)).map((one) => leant(one, towards, reference))
  const beside = besideTimes(text, known, language).filter(({ interval }) => isSound(interval))
  return ranges(text, apart([...beside, ...known])).filter(({ interval }) => isSound(interval))
}

/** Cuts a long text between its words, at the end of a sentence where there is one. */
function pieces(text: string): [number, string][] {
  const found: [number, string][] = []
  for (let start = 0; start < text.length; ) {
    let end = Math.min(text.length, start + PIECE)
    if (end < text.length) {
      const piece = text.slice(start, end)
      const cut = Math.max(
        piece.lastIndexOf('. '),
        piece.lastIndexOf('\n'),
        piece.lastIndexOf('? '),
        piece.lastIndexOf('! '),
      )
      end = start + (cut > 0 ? cut + 1 : piece.lastIndexOf(' ') > 0 ? piece.lastIndexOf(' ') : PIECE)
    }
    found.push([start, text.slice(start, end)])
    start = end
  }
  return found
}
