import type { Observation, Triple } from '../../src/api/episode.js'

/**
 * A small extractor of statements from the radio talk of Apollo 13, by a few rules: who calls whom, who reads whom,
 * what is in which state, who has what. What an agent does with a language model, done well enough to fill a memory
 * with triples.
 */
export function statements({ speaker = '', text }: Pick<Observation, 'speaker' | 'text'>): Triple[] {
  const here: Speaking = { speaker: nameOf(speaker), ground: nameOf(speaker) === 'Houston' }
  const found = RULES.flatMap((rule) => rule(text, here))
  const seen = new Set<string>()
  return found.filter((triple) => {
    const key = JSON.stringify(triple).toLowerCase()
    return !seen.has(key) && seen.add(key)
  })
}

interface Speaking {
  readonly speaker: string
  /** Whether the ground speaks; otherwise it is the crew. */
  readonly ground: boolean
}

type Rule = (text: string, here: Speaking) => Triple[]

/** Whom one may call, as they are called. */
const CALLED: Readonly<Record<string, string>> = {
  'apollo 13': 'Apollo 13',
  '13': 'Apollo 13',
  aquarius: 'Aquarius',
  odyssey: 'Odyssey',
  houston: 'Houston',
  jim: 'Jim Lovell',
  fred: 'Fred Haise',
  freddo: 'Fred Haise',
  jack: 'Jack Swigert',
  joe: 'Houston',
  vance: 'Houston',
  charlie: 'Houston',
  ken: 'Houston',
  deke: 'Houston',
}
const CALL = new RegExp(
  `^(?:(?:okay|and|roger|all right|well|hello)[,.]? )?(${Object.keys(CALLED).join('|')})[,.;] ?(?:this is )?houston\\b`,
  'i',
)
const CALL_GROUND = /^(?:(?:okay|and|roger|all right|well|hello|hey)[,.]? )?(?:houston|joe|vance|charlie|ken)[,.;]/i
const STATE =
  'on|off|open|opened|closed|close|up|down|correct|good|complete|enabled|auto|manual|armed|safe|disabled|gray|barber ' +
  'pole|low|high|normal'
/** Names of panels and switches stand in capitals. */
const NAME = '[A-Z][A-Z0-9/-]+(?: (?:[A-Z][A-Z0-9/-]*|[0-9]))*'
/** What other things are called: after an article or a possessive. */
const NOUN = '(?:[a-z-]+ ){0,2}[a-z-]+'
const IS = new RegExp(
  `(?:\\b(?:[Tt]he|[Yy]our|[Oo]ur) (${NOUN}|${NAME})|(${NAME}))(?: is| are| was|'s|'re)(?: now| still| all| ` +
    `looking| pretty| very)* ((?:${STATE})\\b)`,
  'g',
)
const TO = new RegExp(`(${NAME}|circuit breakers? ${NAME})(?:,| to)(?: to)? (${STATE}|${STATE.toUpperCase()})\\b`, 'g')
/** Somebody who has, sees or needs a thing: "we've got a master alarm". */
const HAS = new RegExp(
  String.raw`\b(I|[Ww]e|[Yy]ou)(?:'ve got| have got| got|'ve| have| see| need| want| copy) ` +
    String.raw`(?:a |an |the |your |our |some )((?:[a-z0-9-]+ ){0,2}[a-z0-9-]+)(?=[.,;?!]|$)`,
  'g',
)
/** First words of a noun phrase that names no thing, because they are pronouns, function words or forenames. */
const FIRST_OF_EMPTY =
  'it|that|this|there|what|which|he|she|they|we|you|i|one|them|here|all|everything|okay|and|but|so|if|to|of|not|been|' +
  'be|any|no|yes|now|then|when|where|how|why|jim|jack|fred|joe|vance'
/** Noun phrases that name no thing. */
const EMPTY = new RegExp(String.raw`^(?:${FIRST_OF_EMPTY})\b|\b(?:one|thing|bit|couple|lot|go|minute|second)$`, 'i')

/** What one side says to the other: by what it is known, and what that comes to. */
const ADDRESSED: readonly (readonly [RegExp, string])[] = [
  [
    /\bgo (?:right )?ahead\b[,.; -]*(?:houston|aquarius|odyssey|13|jim|jack|fred|joe|vance|charlie|ken)?[^a-z]*$/i,
    'gives the go-ahead to',
  ],
  [/\bhow (?:do )?you read|do you read|how do you (?:hear|copy)/i, 'asks for a radio check from'],
  [
    /\b(?:read|reading|hear|hearing) you (?:loud and clear|five[ -]by|5[ -]by|5[ -]square|fine|okay)|^loud and clear/i,
    'hears well what comes from',
  ],
  [/\bstand ?by\b/i, 'gives a stand-by to'],
  [/\bsay again\b/i, 'asks for a repeat from'],
  [/\bthank(?:s| you)\b/i, 'says thanks to'],
  [/read-?back(?: is|'s)? (?:correct|good|100)|\bgood read-?back/i, 'confirms a readback of'],
  [/\bready to copy\b[^?]*$/i, 'is ready to copy from'],
  [/\bready to copy\b.*\?/i, 'has something to read to'],
  [/\b(?:that's|that is)? ?affirm(?:ative|ed)?\b/i, 'says yes to'],
  [/\bnegative\b/i, 'says no to'],
]

const RULES: readonly Rule[] = [
  (text, { speaker, ground }) => {
    const called = ground ? CALL.exec(text)?.[1] : CALL_GROUND.test(text) ? 'houston' : undefined
    return called === undefined ? [] : [{ subject: speaker, predicate: 'calls', object: CALLED[called.toLowerCase()] }]
  },
  (text, { speaker, ground }) =>
    ADDRESSED.filter(([known]) => known.test(text)).map(([, predicate]) => ({
      subject: speaker,
      predicate,
      object: others(ground),
    })),
  (text) =>
    [...text.matchAll(IS)].flatMap(([, noun, name, state]) =>
      EMPTY.test(noun ?? name) ? [] : [{ subject: noun ?? name, predicate: 'is', object: state.toLowerCase() }],
    ),
  (text) =>
    [...text.matchAll(TO)].map(([, name, state]) => ({
      subject: name,
      predicate: 'is switched to',
      object: state.toLowerCase().replace(/^close$/, 'closed'),
    })),
  (text, { speaker, ground }) =>
    [...text.matchAll(HAS)].flatMap(([all, who, thing]) => {
      if (EMPTY.test(thing)) return []
      const predicate = / see /.test(all)
        ? 'sees'
        : / need | want /.test(all)
          ? 'wants'
          : / copy /.test(all)
            ? 'copies'
            : 'has'
      return [
        {
          subject:
            who.toLowerCase() === 'you' ? others(ground) : who === 'I' ? speaker : ground ? 'Houston' : 'the crew',
          predicate,
          object: thing,
        },
      ]
    }),
]

function nameOf(speaker: string): string {
  return speaker.replace(/ \(.*/, '')
}

function others(ground: boolean): string {
  return ground ? 'the crew' : 'Houston'
}
