import { describe, expect, test } from 'vitest'
import { stated } from '../../../../src/extraction/contrast/asking.js'

describe('a question states nothing', () => {
  test.each([
    'How is the harbour office?',
    'And what does Priya say?',
    'Tom, are the brakes ready?',
    'In the tunnel?',
    '¿Está abierta la tienda?',
    'Wo ist der Schlüssel?',
    'Oh, was there cake?',
    'What a huge garden!',
    'Tell me about the new flat!',
    'Say again the part?',
    '元気ですか？',
    'So where does Lena keep the keys?',
    'Is it sunny? Is it windy?',
  ])('%s', (text) => expect(stated(text).trim()).toBe(''))
})

describe('what goes with a question is stated', () => {
  test.each<[string, string]>([
    ['We moved to Ghent. How is Ada?', 'We moved to Ghent.'],
    ['How is Ada? We moved to Ghent.', 'We moved to Ghent.'],
    ['Sarah sold the red boat, what do they say?', 'Sarah sold the red boat,'],
  ])('%s', (text, rest) => expect(stated(text).trim()).toBe(rest))
})

describe('a question that tells or corrects something counts as stated', () => {
  test.each([
    'What can I cook without gluten?',
    'Is it at five?',
    'Is the review on Friday?',
    "Isn't the key under the pot?",
    'Did you know that Ada is pregnant?',
    'You moved the office to Ghent?',
    'Where is my inhaler?',
    'We moved to Ghent.',
    '',
    '?',
    'Peanuts.',
    'Tell me when the parcel arrives.',
    'We go on holiday with Tom.',
    'They tell me about Rome.',
    'What a pity that Tom sold the boat.',
    'The page is https://agidb.example/a?b=c.d',
    'The pump takes 2.5 litres.',
    '元気です。東京に住んでいます。',
  ])('%s', (text) => expect(stated(text)).toBe(text))
})

test('a long text without an end of a sentence is taken apart in time that grows with its length', () => {
  const text = 'what is it, '.repeat(340)
  expect(stated(text)).toBe(text)
})
