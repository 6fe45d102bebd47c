import { checkKeys, checkName, checkText, DEFAULT_LIMITS, invalid } from '../api/check.js'
import { AgidbError } from '../base/errors.js'
import type { Judgement } from './examples.js'

/** A judgement of a file. */
export interface JudgedLine extends Judgement {
  /** From 1. */
  readonly line: number
  /** What is held back together. */
  readonly group: string
}

/** Groups into which questions without one are dealt. */
const DEALT = 10

/**
 * Reads judgements: one JSON object a line, `{"cue": "…", "ids": ["…"], "group": "…"}`. No ids: nothing answers the
 * cue. Cues without a group are dealt into ten, those with the same first answer together, so that what is held back is
 * not known already.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT`, `AGIDB_INVALID_TEXT`, `AGIDB_UNKNOWN_OPTION` or `AGIDB_TOO_LARGE`, with
 * the line.
 */
export function readJudgements(text: string): JudgedLine[] {
  const judged: JudgedLine[] = []
  const dealt = new Map<string, string>()
  for (const [at, line] of text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .entries()) {
    if (line.trim() === '') continue
    const judgement = toJudgement(line, at + 1)
    judged.push({ ...judgement, line: at + 1, group: judgement.group ?? deal(dealt, judgement) })
  }
  return judged
}

function deal(dealt: Map<string, string>, { cue, ids }: Judgement): string {
  const key = JSON.stringify([...ids].sort()[0] ?? { cue })
  if (!dealt.has(key)) dealt.set(key, `dealt ${dealt.size % DEALT}`)
  return dealt.get(key)!
}

function toJudgement(line: string, number: number): Judgement & { readonly group?: string } {
  const where = `line ${number}`
  try {
    const value = parse(line)
    checkKeys('a judgement', value, ['cue', 'ids', 'group'])
    const { cue, ids, group } = value as { cue?: unknown; ids?: unknown; group?: unknown }
    checkText('cue', cue, DEFAULT_LIMITS, 'cueBytes')
    if (!Array.isArray(ids) || !ids.every((id) => typeof id === 'string' && id !== '')) {
      throw invalid('ids must be an array of the ids of memories that answer the cue; [] when nothing does')
    }
    checkName('group', group, DEFAULT_LIMITS)
    return { cue, ids: [...new Set(ids as string[])], ...(group !== undefined && { group: group as string }) }
  } catch (error) {
    if (!(error instanceof AgidbError)) throw error
    throw new AgidbError(error.code, `${where}: ${error.message}`, { ...error.details, line: number }, { cause: error })
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch (cause) {
    throw new AgidbError(
      'AGIDB_INVALID_ARGUMENT',
      `no JSON (${(cause as Error).message}); expected {"cue": "…", "ids": ["…"]}`,
      {},
      { cause },
    )
  }
}
