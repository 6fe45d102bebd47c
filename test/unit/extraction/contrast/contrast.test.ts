import { describe, expect, test } from 'vitest'
import { contrast } from '../../../../src/extraction/contrast/contrast.js'
import { read } from '../../../../src/extraction/contrast/reading.js'

const compared = (memory: string, text: string) => contrast(read(text), read(memory), () => 0)

describe('what differs is named', () => {
  test.each<[string, string, object]>([
    [
      'My phone number is 555-1234.',
      'My phone number is 555-9876.',
      { kind: 'figure', here: '555-9876', there: '555-1234' },
    ],
    ['The review is at 3 pm.', 'The review is at 3 am.', { kind: 'figure', here: '3 am', there: '3 pm' }],
    [
      'Mix one cup of salt and two cups of flour.',
      'Mix two cups of salt and two cups of flour.',
      { kind: 'figure', here: 'two', there: 'one' },
    ],
    ['The launch is on Tuesday.', 'The launch is on Friday.', { kind: 'time', here: 'Friday', there: 'Tuesday' }],
    ['The party is in May.', 'The party is in June.', { kind: 'time', here: 'June', there: 'May' }],
    ['I work with Anna.', 'I work with Bert.', { kind: 'name', here: 'Bert', there: 'Anna' }],
    [
      'I am allergic to peanuts.',
      'I am not allergic to peanuts.',
      { kind: 'denial', here: 'not allergic', there: 'allergic' },
    ],
    ['We have bread and no milk.', 'We have bread and milk.', { kind: 'denial', here: 'milk', there: 'not milk' }],
    [
      'Vera plays the flute.',
      'Vera stopped playing the flute.',
      { kind: 'denial', here: 'not playing', there: 'plays' },
    ],
    ['The deploy succeeded.', 'The deploy failed.', { kind: 'opposite', here: 'failed', there: 'succeeded' }],
    ['The gate is locked.', 'The gate is unlocked.', { kind: 'opposite', here: 'unlocked', there: 'locked' }],
    ['Take it before lunch.', 'Take it after lunch.', { kind: 'word', here: 'after', there: 'before' }],
    ['Anna loves Ben.', 'Ben loves Anna.', { kind: 'roles', here: 'Ben … Anna', there: 'Anna … Ben' }],
    ['Tom owes me money.', 'I owe Tom money.', { kind: 'roles', here: 'I … Tom', there: 'Tom … me' }],
    [
      'The bus goes from Kiel to Bonn.',
      'The bus goes from Bonn to Kiel.',
      { kind: 'roles', here: 'Bonn … Kiel', there: 'Kiel … Bonn' },
    ],
    ['Anna admires Ben.', 'Anna is admired by Ben.', { kind: 'roles' }],
    [
      'The cook fries fish, and the guest pours wine.',
      'The guest fries fish, and the cook pours wine.',
      { kind: 'roles' },
    ],
    [
      'The recital is in the chapel.',
      'The recital in the chapel was cancelled.',
      { kind: 'change', here: 'cancelled' },
    ],
    ['Our guide speaks Danish.', 'Our guide speaks Welsh.', { kind: 'name', here: 'Welsh', there: 'Danish' }],
    [
      'The hotel is ten minutes from the beach.',
      'The hotel is ten miles from the beach.',
      { kind: 'figure', here: 'ten' },
    ],
    [
      'Give the dog half a tin in the morning and half a tin at noon.',
      'Give the dog a whole tin in the morning and half a tin at noon.',
      { kind: 'figure', here: 'whole' },
    ],
    ['Pump B is dry.', 'Pump A is dry.', { kind: 'name', here: 'A', there: 'B' }],
    [
      'Paint the front wall in green and the back wall in white.',
      'Paint the front wall in white and the back wall in green.',
      { kind: 'roles' },
    ],
    ['The lecture covers part 5.', 'part 5 isnt in the lecture', { kind: 'denial' }],
    ['The roof needs a new gutter.', 'The roof got its new gutter.', { kind: 'opposite', here: 'got', there: 'needs' }],
    [
      'The paper is collected every second week.',
      'The paper is collected every week from now on.',
      { kind: 'change', here: 'henceforth' },
    ],
    ['The soup needs salt.', 'The soup needs ginger.', { kind: 'word', here: 'ginger', there: 'salt' }],
    ['I take the early bus.', 'I take the evening bus.', { kind: 'word', here: 'evening', there: 'early' }],
    ['We wait at the pier.', 'We wait at the chapel.', { kind: 'word', here: 'chapel', there: 'pier' }],
    [
      'Ada has pancakes with syrup on Sundays.',
      'On Sundays it is pancakes with cream for Ada.',
      { kind: 'word', here: 'cream', there: 'syrup' },
    ],
    ['The mower is in the shed.', 'The mower is in the cellar.', { kind: 'word', here: 'cellar', there: 'shed' }],
    ['My sister waters the plants.', 'I water the plants.', { kind: 'name', here: 'i', there: 'sister' }],
    ['We are out of coffee.', 'We have coffee.', { kind: 'denial' }],
    ['The juice contains alcohol.', 'The juice is free of alcohol.', { kind: 'denial' }],
    ['The lift works.', 'The lift fails to work.', { kind: 'denial' }],
    ['Bela signed the form.', 'Bela has yet to sign the form.', { kind: 'denial' }],
    ['The track is fit for cars.', 'The track is anything but fit for cars.', { kind: 'denial' }],
    ['The roof is being mended.', 'The roof has been mended.', { kind: 'word', here: 'been', there: 'being' }],
    ['The theatre will reopen in May.', 'The theatre might reopen in May.', { kind: 'word', here: 'might' }],
    ['Kim gave the keys to the porter.', 'Kim still has the keys.', { kind: 'change', here: 'still', there: 'gave' }],
    ['The crate weighs two tons.', 'The crate weighs more than two tons.', { kind: 'figure', here: 'more than two' }],
    ['Both doors are jammed.', 'Only one door is jammed.', { kind: 'figure' }],
    ['The fee is 20 francs a month.', 'The fee is 20 francs a quarter.', { kind: 'word', there: 'month' }],
    ['The jug is half full.', 'The jug is a quarter full.', { kind: 'word', here: 'quarter', there: 'half' }],
    ['Remind me to lock the gate.', 'The gate is already locked.', { kind: 'change', here: 'already' }],
    ['She is my sister, Anna.', 'She is my sister, Bea.', { kind: 'name', here: 'Bea', there: 'Anna' }],
    ['Mum is in the clinic.', 'Mum was discharged from the clinic.', { kind: 'change', here: 'discharged' }],
  ])('%s / %s', (memory, text, difference) => {
    const { news, shared, differences } = compared(memory, text)
    expect(differences).toContainEqual(expect.objectContaining(difference))
    expect(news).toBeGreaterThan(0.92)
    expect(shared).toBeGreaterThanOrEqual(0.5)
  })
})

describe('what is said in other words is no news', () => {
  test.each<[string, string]>([
    ['My phone number is 555-1234.', '555 1234 is my phone number.'],
    ['The review is at 3 pm on Tuesday.', 'On Tuesday, the review is at 15:00.'],
    ['Anna loves Ben.', 'Ben is loved by Anna.'],
    ['Marco is older than Pavel.', 'Pavel is younger than Marco.'],
    ['Anna sold Ben a bike.', 'Ben bought a bike from Anna.'],
    ['The gate is locked.', 'The gate is not unlocked.'],
    ['The train goes from Kiel to Bonn.', 'The train goes to Bonn from Kiel.'],
    ['Vera no longer smokes.', 'Vera quit smoking.'],
    ['The party was called off.', 'They cancelled the party.'],
    ['The film lasts 90 minutes.', 'The film lasts 1.5 hours.'],
    ['Add half a litre of milk.', 'Add 500 ml of milk.'],
    ['Turn to heading two seven zero.', 'Turn to heading 270.'],
    ['The disk has 16gb.', 'The disk has 16 gigabytes.'],
    ['The lake is ten minutes from the hut.', 'From the hut it is ten minutes to the lake.'],
    ['Fill the tank before starting the pump.', 'First fill the tank, then start the pump.'],
    ['The lift takes at most 8 people.', 'The lift takes no more than 8 people.'],
    ['Look under the flowerpot.', 'Look under the flower pot.'],
    ['Greta teaches music at the Linden school.', 'At the Linden school Greta is a music teacher.'],
    ['We have two kids.', 'We have two children.'],
    ['It weighs 3 kg.', 'It weighs three kilograms.'],
    ['Lea has a dog, two cats and a parrot, and lives in Rome.', 'Lea lives in Rome.'],
    ['Uncle Jan grows beans behind the shed.', 'Behind the shed are beans that Uncle Jan grows.'],
    ['The stapler is out of staples.', 'There are no staples left in the stapler.'],
    ['Both doors are jammed.', 'The two doors are jammed.'],
    ['Remind me to feed the fish.', "Don't let me forget to feed the fish."],
    ['The crate weighs more than two tons.', 'More than two tons is what the crate weighs.'],
    ['We wait at the pier.', 'At the pier we wait.'],
    ['Roger, I read you loud and clear.', 'Roger. I read you loud and clear, Fred.'],
    ['Okay, the valve is shut.', 'Okay. The valve is shut, Odile.'],
    ['Go ahead.', 'Go ahead, Odile.'],
  ])('%s / %s', (memory, text) => {
    expect(compared(memory, text).news).toBeLessThan(0.92)
  })
})

test('two texts about different things share little', () => {
  const { news, shared } = compared('The ferry to Texel was late.', 'Nadia baked a lemon cake.')
  expect(news).toBeGreaterThan(2)
  expect(shared).toBeLessThan(0.5)
})

test.each([
  'Okay.',
  'hi',
  'Thanks, Anna!',
  'How are you doing today?',
  'Sounds good, talk to you later.',
  '👍',
  'heyyy',
  'stand by',
  'Exactly what I was thinking.',
  'That is so kind of you!',
  "You're welcome.",
])('%s is small talk', (text) => expect(read(text).telling).toBe(0))

test.each(['Peanuts.', 'Call me at five.', 'Anna is here.', 'A secret.', 'I moved to Lyon.'])('%s is none', (text) =>
  expect(read(text).telling).toBeGreaterThan(0))

test.each([
  '',
  ' ',
  '…',
  '\u{1F600}'.repeat(50),
  'a'.repeat(3000),
  '漢字かな交じり文です。',
  'İstanbul’da',
  '１２３',
  'don’t',
  '٣ أرقام',
  '\0\t',
])('any text can be compared: %j', (text) => {
  const { news, shared } = compared(text, text)
  expect(news).toBe(0)
  expect(shared).toBeLessThanOrEqual(1)
})
