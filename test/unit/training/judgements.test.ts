import { describe, expect, it } from 'vitest'
import { AgidbError } from '../../../src/base/errors.js'
import { readJudgements } from '../../../src/training/judgements.js'

const refusal = (text: string) => {
  try {
    readJudgements(text)
  } catch (error) {
    return error as AgidbError
  }
  throw new Error('nothing was refused')
}

describe('readJudgements', () => {
  it('reads lines, past a byte order mark, blank ones and carriage returns', () => {
    const judged = readJudgements(
      '\uFEFF{"cue":"a?","ids":["x","y","x"],"group":"g"}\r\n\r\n{"cue":"b?","ids":[],"group":"h"}\n',
    )
    expect(judged).toEqual([
      { cue: 'a?', ids: ['x', 'y'], group: 'g', line: 1 },
      { cue: 'b?', ids: [], group: 'h', line: 3 },
    ])
  })

  it('deals cues without a group into ten, those with the same first answer together', () => {
    const lines = Array.from({ length: 40 }, (_, i) => JSON.stringify({ cue: `question ${i}`, ids: [`id${i % 20}`] }))
    const groups = readJudgements(lines.join('\n')).map(({ group }) => group)
    expect(new Set(groups).size).toBe(10)
    for (let i = 0; i < 20; i++) expect(groups[i]).toBe(groups[i + 20])
    const none = readJudgements('{"cue":"a","ids":[]}\n{"cue":"b","ids":[]}\n{"cue":"a","ids":[]}').map(
      ({ group }) => group,
    )
    expect(none[0]).toBe(none[2])
    expect(none[0]).not.toBe(none[1])
  })

  it.each([
    ['{"cue":', 'AGIDB_INVALID_ARGUMENT', 'no JSON'],
    ['["a"]', 'AGIDB_INVALID_ARGUMENT', 'must be an object, not an array'],
    ['null', 'AGIDB_INVALID_ARGUMENT', 'must be an object, not null'],
    ['{"ids":[]}', 'AGIDB_INVALID_ARGUMENT', 'cue must be a string'],
    ['{"cue":" ","ids":[]}', 'AGIDB_INVALID_TEXT', 'cue is empty'],
    ['{"cue":"a"}', 'AGIDB_INVALID_ARGUMENT', 'ids must be an array'],
    ['{"cue":"a","ids":["x",3]}', 'AGIDB_INVALID_ARGUMENT', 'ids must be an array'],
    ['{"cue":"a","ids":[],"group":7}', 'AGIDB_INVALID_ARGUMENT', 'group must be a string'],
    ['{"cue":"a","ids":[],"answer":"x"}', 'AGIDB_UNKNOWN_OPTION', 'known are cue, ids, group'],
  ])('refuses %s and says in which line', (line, code, message) => {
    const error = refusal(`{"cue":"fine","ids":[]}\n\n${line}`)
    expect(error).toBeInstanceOf(AgidbError)
    expect(error).toMatchObject({ code, details: { line: 3 } })
    expect(error.message).toMatch(/^line 3: /)
    expect(error.message).toContain(message)
  })
})
