import { STOP_WORDS } from '../../encoding/stop-words.js'
import { fold } from '../../encoding/tokens.js'
import { identityOf } from './identity.js'

/** Two names that a text says are of one thing. */
export type NamePair = readonly [name: string, other: string]

/** A whole word in capitals, of a bounded length: else a run of capitals takes time with its square. */
const WORD = String.raw`(?<![\p{L}\p{M}\p{N}])\p{Lu}[\p{L}\p{M}\p{N}'.&-]{0,60}(?![\p{L}\p{M}\p{N}])`
/** Up to five words in capitals, with what may stand between them. */
const NAME = `${WORD}(?: (?:(?:of|de|da|del|la|van|von|der|the) )?${WORD}){0,4}`
const OTHER = `(?:the )?["'‘“]?(?<other>${NAME})["'’”]?`
const KNOWN_HOW = '(?:also|better|often|otherwise|formerly|commonly|popularly)'
const KNOWN = `(?:${KNOWN_HOW} (?:known|called|referred to)(?: (?:as|by))?|aka|alias|nicknamed|known as)`
const BE = '(?:is|was|are|were)'
const FRIENDS = '(?:my|our|his|her|their) (?:friends|family|mates|colleagues|parents|folks)'
const PEOPLE = 'everyone|everybody|people|most people|some people|friends|folks|they all|we all'
const EVERYONE = `(?:${PEOPLE}|${FRIENDS}|you can|you may|please|just|feel free to)`
/** What a name may be called with regard to another one. */
const NAME_OF = '(?:nickname|alias|abbreviation|old name|new name|former name)'

/** Patterns in which a name and another one stand. */
const PAIRS = [
  `(?<name>${NAME}),? ?\\(?,? ?(?:who ${BE} |which ${BE} |${BE} )?${KNOWN} ${OTHER}`,
  `(?<name>${NAME}),? (?:${BE} )?called ${OTHER} by\\b`,
  `${OTHER} ${BE} (?:short for|(?:an?|the) ${NAME_OF} (?:of|for)) (?<name>${NAME})`,
  `(?<name>${NAME}) goes by(?: the name(?: of)?)? ${OTHER}`,
  `(?<name>${NAME})'s nickname ${BE} ${OTHER}`,
  `(?:[Ee]veryone|[Ee]verybody) calls (?<name>${WORD}) ${OTHER}`,
].map((pattern) => new RegExp(pattern, 'u'))

/** Patterns in which the speakers give their own other name, in a sentence that does not begin with a capital. */
const OWN = [
  `^(?:(?:well|oh|hey|hi|so|but|and|by the way)[, ]+)*(?:${EVERYONE} )?calls? me ${OTHER}`,
  `\\b(?:${EVERYONE}) calls? me ${OTHER}`,
  `\\bmy nickname ${BE} ${OTHER}`,
  `\\b[Ii] go by ${OTHER}`,
].map((pattern) => new RegExp(pattern, 'u'))

const SENTENCE = /[^.!?\n]+[.!?]*/gu
const DENIED = /\b(?:not|never|don't|doesn't|didn't|isn't|wasn't|stop|stopped|hate|hates)\b/iu
/** Words in capitals that begin a sentence or name a time, and are no part of a name. */
const NO_NAME: ReadonlySet<string> = new Set(
  `also although but city former formerly however later mayor moreover mr mrs ms dr my now once our perhaps please
  then today tomorrow tonight yesterday yes no well oh hey hi monday tuesday wednesday thursday friday saturday sunday
  january february march april may june july august september october november december`.split(/\s+/),
)

/** What a text has that states another name: most have none of it. */
const HINT = /known|call|referred|a\.?k\.?a|alias|nick|short for|go(?:es)? by|abbreviation|name (?:of|for)/iu

/**
 * The pairs of names that a text says are of one thing: "Bombay, also known as Mumbai", "Robert, called Bob by his
 * friends", "everyone calls me Mel". Names must be written with capitals. Questions and denials state nothing.
 *
 * @param speaker whom "me" and "my" mean; absent: they mean no known person.
 */
export function statedAliases(text: string, speaker?: string): NamePair[] {
  if (!HINT.test(text)) return []
  const found: NamePair[] = []
  for (const [sentence] of plain(text).matchAll(SENTENCE)) {
    if (sentence.trimEnd().endsWith('?') || DENIED.test(sentence)) continue
    for (const pattern of PAIRS) {
      const groups = pattern.exec(sentence)?.groups
      add(found, groups?.name, groups?.other)
    }
    if (speaker === undefined) continue
    const spoken = sentence.trimStart().replace(/^\p{Lu}/u, (letter) => letter.toLowerCase())
    for (const pattern of OWN) add(found, speaker, pattern.exec(spoken)?.groups?.other)
  }
  return found
}

/** A text with straight apostrophes, and without full stops that end no sentence. */
function plain(text: string): string {
  return text.replaceAll('’', "'").replace(/\ba\.k\.a\.?/giu, 'aka')
}

function add(found: NamePair[], name: string | undefined, other: string | undefined): void {
  const [one, two] = [trimmed(name), trimmed(other)]
  if (one === undefined || two === undefined || identityOf(one) === identityOf(two)) return
  if (!found.some(([a, b]) => a === one && b === two)) found.push([one, two])
}

/** A name without what begins the sentence before it, nor what ends the sentence after it. */
function trimmed(name: string | undefined): string | undefined {
  if (name === undefined) return undefined
  const words = name.replace(/[.'-]+$/u, '').split(' ')
  const first = words.findIndex((word) => !STOP_WORDS.has(fold(word)) && !NO_NAME.has(fold(word)))
  const rest = first < 0 ? [] : words.slice(first)
  return rest.length === 0 ? undefined : rest.join(' ')
}
