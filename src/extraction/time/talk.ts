/**
 * Function words, question words and verbs of talking and happening: what a question has that asks for a time alone.
 */
const TALK = new Set(
  `what which who whom when where how about of on in at to from with for and or the a an any some all more else
  anything everything something things thing stuff topics topic subjects subject conversation conversations chat chats
  messages message notes memories news events happenings
  i me my we us our you your he she they them it its this that these those there
  did do does done was were is are been be had have has can could would will please
  talk talked talking discuss discussed discussing say said saying speak spoke spoken mention mentioned tell told
  chat chatted write wrote written happen happened happening going go on up learn learned learnt hear heard remember
  recall recap summary summarize summarise show list give find
  was haben hat habe hatten wir ich du ihr uns mir über worüber gesprochen geredet gesagt besprochen
  passiert geschah war
  qué que de hablamos hablaste hablé dijimos dijiste dije pasó ocurrió nosotros
  quoi qu'est-ce avons nous avez vous ai je parlé dit discuté passé s'est il est-ce a
  cosa di che abbiamo hai ho parlato detto discusso successo è
  wat hebben we gezegd besproken gebeurd waarover gepraat is er
  o quê sobre falamos falou falei dissemos disse aconteceu`.split(/\s+/),
)
const WORD = /[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu

/** Whether a question asks for nothing but what was said or what happened: "what did we talk about?" */
export function isOnlyTalk(question: string): boolean {
  return (question.toLowerCase().match(WORD) ?? []).every((word) => TALK.has(word.replace('’', "'")))
}
