/** The words by which a cue asks for an order in time. English only, as those of `asked.ts`. */
const WORDS = /\b(?:after|before|prior|between|since|follow(?:s|ed|ing)|preced(?:es|ed|ing)|up to|first|last)\b/i

/** Whether a cue may ask for an order in time. Cheap, so that most recalls pay nothing; it errs towards yes. */
export function mayAskOrder(cue: string): boolean {
  return WORDS.test(cue)
}
