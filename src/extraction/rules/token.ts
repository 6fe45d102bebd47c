import type { NamedTime } from '../../api/extractor.js'

/** A part of speech by the tags of Universal Dependencies; `TIME` is a word of an expression of time. */
export type Tag =
  | 'ADJ'
  | 'ADP'
  | 'ADV'
  | 'AUX'
  | 'CCONJ'
  | 'DET'
  | 'INTJ'
  | 'NOUN'
  | 'NUM'
  | 'PART'
  | 'PRON'
  | 'PROPN'
  | 'PUNCT'
  | 'SCONJ'
  | 'SYM'
  | 'VERB'
  | 'X'
  | 'SPACE'
  | 'TIME'

/** A word, a figure or a sign of a text. */
export interface Token {
  /** As the tagger read it: apostrophes are straight, "im" is "I" and "am". */
  readonly text: string
  readonly lower: string
  tag: Tag
  /** Its base form, in lower case. */
  lemma: string
  /** Where it stands in the text as it was given, in UTF-16 code units; `to` is after its last. */
  readonly from: number
  readonly to: number
  /** The time that it helps to name. */
  time?: NamedTime
}

/** Whether a token begins with a capital letter. */
export const isCapital = (token: Token): boolean => /^\p{Lu}/u.test(token.text)
