import type { Summarizer, SummaryInput } from '../../api/summarizer.js'
import { AgidbError } from '../../base/errors.js'
import type { DocumentContext } from './context.js'

/** Characters of a summary at most. */
const MAX_CHARACTERS = 600
/** How many times as long an answer may be: models count roughly. */
const ROOM = 4

/**
 * The summary of texts by a summarizer; `undefined` where they give none.
 *
 * @throws AgidbError `AGIDB_SUMMARIZER` when it fails, or answers with something else than a text
 */
export async function summaryOf(
  { indexes: { latents } }: DocumentContext,
  summarizer: Summarizer,
  texts: readonly string[],
  heading: string | undefined,
): Promise<string | undefined> {
  const input: SummaryInput = {
    texts,
    maxCharacters: MAX_CHARACTERS,
    ...(heading !== undefined && { heading }),
    ...(latents !== undefined && { latentsOf: (sentences) => latents.ofMany(sentences) }),
  }
  let summary: unknown
  try {
    summary = await summarizer.summarize(input)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new AgidbError('AGIDB_SUMMARIZER', `the summarizer ${summarizer.id} failed: ${reason}`, {}, { cause })
  }
  if (summary === undefined || (typeof summary === 'string' && summary.length <= ROOM * MAX_CHARACTERS)) return summary
  const answered =
    typeof summary === 'string' ? `${summary.length} characters` : `${summary === null ? null : typeof summary}`
  throw new AgidbError(
    'AGIDB_SUMMARIZER',
    `the summarizer ${summarizer.id} answered ${answered}; expected a text of about ${MAX_CHARACTERS} characters, or ` +
      'undefined',
  )
}
