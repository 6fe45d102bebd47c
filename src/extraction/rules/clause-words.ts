/** Words that begin a clause. */
export const SUBORDINATORS = new Set(
  (
    'because since when while whenever where although though unless until till before after once if whether that as ' +
    'so than but like cause cuz'
  ).split(' '),
)
/** Words that take up what stands before them. */
export const RELATIVES = new Set(['who', 'which', 'that', 'whom'])
/** Words that begin a question, also one within a sentence. */
export const QUESTION_WORDS = new Set(['what', 'who', 'where', 'when', 'why', 'how', 'which', 'whose', 'whom'])
/** Words between the items of a list. */
export const CONJUNCTIONS = new Set(['and', 'or', '&'])
