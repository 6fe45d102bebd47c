import { stopwords } from '@orama/stopwords/english'
import MiniSearch, { type Options } from 'minisearch'
import { stemmer } from 'stemmer'
import { line, type Contender, type Exam, type Filled } from '../exam.js'
import { languageNamed, stemOf, termOf } from './languages.js'

export type Settings = Omit<Options<Turn>, 'fields'>

export interface Turn {
  readonly id: number
  readonly line: string
}

const STOP = new Set(stopwords)

/** As its documentation advises: a word may be cut short or misspelt unless it is short itself. */
const LENIENT: Settings = {
  searchOptions: { prefix: (term) => term.length > 3, fuzzy: (term) => (term.length > 3 ? 0.2 : false) },
}

/** Porter stems and no stop words, by its hook for that. */
export const STEMS: Settings = {
  processTerm: (term) => {
    const word = term.toLowerCase()
    return STOP.has(word) ? null : stemmer(word)
  },
}

/** MiniSearch (BM25+) as it comes, and with the options that its documentation offers for prose. */
export const miniSearches: readonly Contender[] = [
  contender('MiniSearch', {}),
  contender('MiniSearch, prefix and fuzzy', LENIENT),
  contender('MiniSearch, stems, stop words out', STEMS),
  contender('MiniSearch, stems, stop words out, prefix and fuzzy', { ...STEMS, ...LENIENT }),
  ofLanguage('MiniSearch, stems of the language', stemOf, {}),
  ofLanguage('MiniSearch, stems of the language, prefix and fuzzy', stemOf, LENIENT),
  ofLanguage('MiniSearch, stems of the language, stop words out', termOf, {}),
  ofLanguage('MiniSearch, stems of the language, stop words out, prefix and fuzzy', termOf, LENIENT),
]

function contender(name: string, settings: Settings): Contender {
  return { name, fill: async (exam) => fill(exam, settings) }
}

/** Terms of the language that the exam names, or of English. */
function ofLanguage(name: string, processed: typeof termOf, settings: Settings): Contender {
  return {
    name,
    fill: async (exam) => {
      const language = languageNamed(exam.language ?? 'english')
      return fill(exam, { ...settings, processTerm: (term) => processed(language, term) })
    },
  }
}

function fill({ observations }: Exam, settings: Settings): Filled {
  const index = new MiniSearch<Turn>({ fields: ['line'], ...settings })
  index.addAll(observations.map((observation, id) => ({ id, line: line(observation) })))
  return {
    rank: async (cue, k) =>
      index
        .search(cue)
        .slice(0, k)
        .map(({ id, score }) => ({ index: id as number, score })),
    close: async () => index.removeAll(),
  }
}
