import { expect, test } from 'vitest'
import { spelled } from '../../../../src/extraction/rules/spelling.js'

test('what chats leave out is spelled out, in any case', () => {
  expect(spelled("Im sure she ISNT here, i dont think they're").text).toBe(
    "I am sure she isn't here, I don't think they're",
  )
})

test('a word with a letter that only folds to one of a spelling stays as it is', () => {
  const { text, origin } = spelled('She iſnt here, ſhes gone, im here')
  expect(text).toBe('She iſnt here, ſhes gone, I am here')
  expect(origin(text.indexOf('here'))).toBe(9)
  expect(origin(text.lastIndexOf('here'))).toBe(29)
})
