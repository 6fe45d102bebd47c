const SUBJECTS = [
  'The train to the coast',
  'My sister',
  'The old printer',
  'Our neighbour',
  'The teacher',
  'A small dog',
  'The ferry',
  'Doctor Weber',
  'The bakery',
  'That song',
]
const PREDICATES = [
  'leaves at nine from platform four',
  'is louder than it was last week',
  'needs a new cartridge before Monday',
  'forgot the blue umbrella again',
  'asked for the second chapter',
  'was seen near the harbour',
  'will be repainted in spring',
  'wants to hear from you tomorrow',
  'closes early on Fridays',
  'reminds me of winter in Oslo',
]

/** A hundred sentences, each another. */
export const sentences = SUBJECTS.flatMap((subject) => PREDICATES.map((predicate) => `${subject} ${predicate}.`))
