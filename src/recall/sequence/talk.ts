import { tokens } from '../../encoding/tokens.js'

/** Function words, question words, and verbs and nouns of talking and happening. */
const TALK = new Set(
  `what which who whom when where how about of on in at to from with for and or the a an any some all more else very
  anything everything something things thing stuff topic topics subject news event events turn answer reply
  i me my we us our you your he she they him her them it its this that these those there one ones
  did do does done was were is are been be had have has could would
  talk talked talking discuss discussed discussing say said saying speak spoke spoken mention mentioned tell told
  chat chatted write wrote written announce announced reveal revealed report reported ask asked answered replied
  respond responded ask tell reveal announce report mention reaction react reacted
  happen happened happening occur occurred go going went on up come came comes follow followed next then go`.split(
    /\s+/,
  ),
)

/**
 * Whether a question asks only what was said or what happened, by any person: "what did she say?"
 *
 * @param names names of speakers, which it may have.
 */
export function isTalkAlone(question: string, names: Iterable<string>): boolean {
  const known = new Set([...names].flatMap(tokens))
  return tokens(question).every((word) => TALK.has(word) || known.has(word.replace(/'s$/, '')))
}
