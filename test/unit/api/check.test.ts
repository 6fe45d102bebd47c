import { describe, expect, test } from 'vitest'
import {
  checkChoice,
  checkKeys,
  checkName,
  checkNumber,
  checkSignal,
  checkText,
  checkWhole,
  DEFAULT_LIMITS,
} from '../../../src/api/check.js'

const limits = DEFAULT_LIMITS
const refused = (code: string, message: RegExp) =>
  expect.objectContaining({ code, message: expect.stringMatching(message) })
const thrownBy = (call: () => void) => {
  try {
    call()
  } catch (error) {
    return error
  }
}

describe('checks', () => {
  test.each<[string, () => void, string, RegExp]>([
    [
      'a number for a text',
      () => checkText('text', 5, limits),
      'AGIDB_INVALID_ARGUMENT',
      /text must be a string, not 5/,
    ],
    ['nothing for a text', () => checkText('text', undefined, limits), 'AGIDB_INVALID_ARGUMENT', /not undefined/],
    ['null for a text', () => checkText('text', null, limits), 'AGIDB_INVALID_ARGUMENT', /not null/],
    ['an empty text', () => checkText('text', '', limits), 'AGIDB_INVALID_TEXT', /empty/],
    ['white space', () => checkText('text', ' \n\t\u00a0\u3000', limits), 'AGIDB_INVALID_TEXT', /empty/],
    [
      'half a surrogate pair',
      () => checkText('text', 'ab\ud83d!', limits),
      'AGIDB_INVALID_TEXT',
      /offset 2.*toWellFormed/,
    ],
    ['the other half', () => checkText('text', '\ude00', limits), 'AGIDB_INVALID_TEXT', /offset 0/],
    [
      'too many bytes',
      () => checkText('text', 'é'.repeat(32_769), limits),
      'AGIDB_TOO_LARGE',
      /65538 bytes; at most 65536.*limits.textBytes/,
    ],
    ['an empty name', () => checkName('speaker', ' ', limits), 'AGIDB_INVALID_ARGUMENT', /speaker is empty/],
    ['a name of another type', () => checkName('speaker', {}, limits), 'AGIDB_INVALID_ARGUMENT', /not an object/],
    ['a long name', () => checkName('speaker', 'x'.repeat(1025), limits), 'AGIDB_TOO_LARGE', /limits.nameBytes/],
    [
      'a fraction',
      () => checkWhole('k', 1.5, 1, 10),
      'AGIDB_INVALID_ARGUMENT',
      /k is 1.5; expected a whole number from 1 to 10/,
    ],
    ['a number in a string', () => checkWhole('k', '5', 1, 10), 'AGIDB_INVALID_ARGUMENT', /k is "5"/],
    ['too small a number', () => checkWhole('k', 0, 1, 10), 'AGIDB_INVALID_ARGUMENT', /k is 0/],
    [
      'no number',
      () => checkNumber('x', NaN, 0, 1),
      'AGIDB_INVALID_ARGUMENT',
      /x is NaN; expected a number from 0 to 1/,
    ],
    ['a number out of range', () => checkNumber('x', 1.1, 0, 1), 'AGIDB_INVALID_ARGUMENT', /1.1/],
    [
      'another choice',
      () => checkChoice('tier', 'best', ['exact', 'gist']),
      'AGIDB_INVALID_ARGUMENT',
      /"best"; expected one of "exact", "gist"/,
    ],
    [
      'options that are a list',
      () => checkKeys('recall', [], ['k']),
      'AGIDB_INVALID_ARGUMENT',
      /recall must be an object, not an array/,
    ],
    ['options that are null', () => checkKeys('recall', null, ['k']), 'AGIDB_INVALID_ARGUMENT', /not null/],
    [
      'an unknown option',
      () => checkKeys('recall', { kk: 5 }, ['k', 'session']),
      'AGIDB_UNKNOWN_OPTION',
      /no option "kk"; known are k, session/,
    ],
    [
      'no signal',
      () => checkSignal('now' as never),
      'AGIDB_INVALID_ARGUMENT',
      /signal must be an AbortSignal, not "now"/,
    ],
    ['a signal that fired', () => checkSignal(AbortSignal.abort('enough')), 'AGIDB_ABORTED', /aborted/],
  ])('refuse %s', (_, call, code, message) => {
    expect(thrownBy(call)).toEqual(refused(code, message))
  })

  test('accept what is right', () => {
    checkText('text', '😀'.repeat(16_384), limits)
    checkText('text', '.', limits)
    checkName('speaker', undefined, limits)
    checkName('speaker', '李明', limits)
    checkWhole('k', 10, 1, 10)
    checkNumber('x', 0, 0, 1)
    checkKeys('recall', undefined, ['k'])
    checkKeys('recall', { k: 1 }, ['k'])
    checkSignal(undefined)
    checkSignal(new AbortController().signal)
  })
})
