import { checkKeys, checkSignal, checkString, checkWhole, invalid } from '../api/check.js'
import type { LlmRequest } from '../api/llm.js'
import { AgidbError } from '../base/errors.js'
import { encodeUtf8 } from '../base/utf8.js'

/** Bytes of an answer at most, in UTF-8. */
export const MOST_ANSWER_BYTES = 1_048_576
/** Bytes of what a server sends at most: JSON around the answer, and characters that are escaped in it. */
export const MOST_BODY_BYTES = 2 * MOST_ANSWER_BYTES
/** Milliseconds for an answer, unless the caller says another number: a large model takes minutes on a slow machine. */
export const DEFAULT_TIMEOUT_MS = 120_000
/** Further attempts, unless the caller gives another number. */
export const DEFAULT_RETRIES = 2

/**
 * Checks a request.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT`, `AGIDB_UNKNOWN_OPTION`, `AGIDB_INVALID_TEXT`; `AGIDB_ABORTED` when its
 * signal has fired
 */
export function checkRequest(request: LlmRequest): void {
  checkKeys('request', request, ['system', 'prompt', 'schema', 'maxTokens', 'signal'])
  if (request === undefined) throw invalid('request must be an object with system and prompt', { what: 'request' })
  checkString('system', request.system)
  checkString('prompt', request.prompt)
  if (request.maxTokens !== undefined) checkWhole('maxTokens', request.maxTokens, 1, 1_000_000)
  const { schema } = request
  if (schema !== undefined && (typeof schema !== 'object' || schema === null || Array.isArray(schema)))
    throw invalid('schema must be a JSON Schema, an object', { what: 'schema' })
  checkSignal(request.signal)
}

/**
 * The text of an answer: without the reasoning that some models write before it and, where JSON was asked for, without
 * the fence around it.
 *
 * @throws AgidbError `AGIDB_LLM` where it is no text, is empty or has more than 1 MB
 */
export function answerOf(id: string, answer: unknown, { schema }: LlmRequest): string {
  if (typeof answer !== 'string') throw wrongAnswer(id, 'answered with something else than text', 'not-text')
  // A character is a byte at least.
  if (answer.length > MOST_ANSWER_BYTES || encodeUtf8(answer).length > MOST_ANSWER_BYTES)
    throw wrongAnswer(id, `answered with more than ${MOST_ANSWER_BYTES.toLocaleString('en')} bytes`, 'too-large')
  const text = answer.replace(/^\s*<think>[^]*?<\/think>/, '').trim()
  const said = schema === undefined ? text : (/^```(?:json)?\s*\n([^]*?)\n?```$/.exec(text)?.[1] ?? text).trim()
  if (said === '') throw wrongAnswer(id, 'answered with nothing', 'empty')
  return said
}

/** An answer that is of no use. */
export function wrongAnswer(id: string, what: string, reason: string): AgidbError {
  return new AgidbError('AGIDB_LLM', `the language model ${id} ${what}`, { id, reason })
}

/**
 * What is said to a model, in the form that OpenAI and Ollama share.
 *
 * @param inWords whether the schema stands in the words, for a server that does not take it
 */
export function messagesOf({ system, prompt, schema }: LlmRequest, inWords: boolean): readonly object[] {
  return [
    { role: 'system', content: inWords && schema !== undefined ? withSchema(system, schema) : system },
    { role: 'user', content: prompt },
  ]
}

function withSchema(system: string, schema: Readonly<Record<string, unknown>>): string {
  const wanted = 'Answer with JSON alone, without any other text, that fits this JSON Schema:'
  return `${system}\n\n${wanted}\n${JSON.stringify(schema)}`
}
