import { type Language, type Vocabulary, VOCABULARIES } from './vocabulary.js'

/**
 * How a language speaks of times around the present. All strings are sources of regular expressions without capturing
 * groups.
 */
export interface Phrasebook extends Vocabulary {
  /** `N` stands for a number of units: "N ago". */
  readonly ago: string
  readonly hence: string
  /** One to twelve. */
  readonly numbers: string
  /** What stands between a season and its year. */
  readonly of: string
  /** What stands before a bare year. */
  readonly in: string
  /** What stands before a bare month. */
  readonly inMonth: string
}

/** The books, by language. Lists are written as in a vocabulary. */
export const PHRASEBOOKS: Readonly<Record<Language, Phrasebook>> = {
  en: {
    ...VOCABULARIES.en,
    ago: 'N ago',
    hence: 'in N|N from now',
    numbers: 'one|an? two three four five six seven eight nine ten eleven twelve',
    of: 'of',
    in: 'in|since|until|till|during|before|after|from|year',
    inMonth: 'in|since|until|till|by|during|before|after|from|early|late|mid|around',
  },
  de: {
    ...VOCABULARIES.de,
    ago: 'vor N',
    hence: 'in N',
    numbers: 'eine[mnr]?|ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf',
    of: 'von',
    in: '(?:im|das|dem) jahre?|seit|bis|anno',
    inMonth: 'im|seit|bis|vor|nach|ab|anfang|mitte|ende',
  },
  es: {
    ...VOCABULARIES.es,
    ago: 'hace N',
    hence: 'dentro de N|en N',
    numbers: 'una?|uno dos tres cuatro cinco seis siete ocho nueve diez once doce',
    of: 'de|del',
    in: 'en|desde|hasta|año',
    inMonth: 'en|desde|hasta|antes de|después de',
  },
  fr: {
    ...VOCABULARIES.fr,
    ago: 'il y a N',
    hence: 'dans N',
    numbers: 'une? deux trois quatre cinq six sept huit neuf dix onze douze',
    of: 'de',
    in: 'en|depuis|année',
    inMonth: "en|depuis|avant|après|jusqu'en",
  },
  it: {
    ...VOCABULARIES.it,
    ago: 'N fa',
    hence: 'tra N|fra N',
    numbers: "un[oa]?|un' due tre quattro cinque sei sette otto nove dieci undici dodici",
    of: 'del',
    in: 'nel|dal|fino al|anno',
    inMonth: 'a|in|da|fino a|prima di|dopo',
  },
  nl: {
    ...VOCABULARIES.nl,
    ago: 'N geleden',
    hence: 'over N',
    numbers: 'een|één twee drie vier vijf zes zeven acht negen tien elf twaalf',
    of: 'van',
    in: 'sinds|tot|jaar',
    inMonth: 'in|sinds|tot|voor|na',
  },
  pt: {
    ...VOCABULARIES.pt,
    ago: 'há N|N atrás|faz N',
    hence: 'daqui a N|dentro de N',
    numbers: 'uma?|um dois|duas três quatro cinco seis sete oito nove dez onze doze',
    of: 'de|do',
    in: 'em|desde|até|ano',
    inMonth: 'em|desde|até|antes de|depois de',
  },
}
