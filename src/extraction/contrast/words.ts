/** A set of words that are written one after the other. */
export const list = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/))

/** Words that deny what follows. "n't" is spelt out as "not" before it comes here. */
export const DENIALS = list('not no never none nobody nothing neither nor cannot without hardly barely unable nowhere')

/** What "no longer" and "not any more" leave. */
export const AFTER_DENIAL = list('longer any more anymore')

/** Verbs that deny what follows: who stopped smoking does not smoke. */
export const ENDINGS = list('stop stops stopped stopping quit quits quitting cease ceases ceased')

/**
 * Words of greetings, thanks, assent, feelings and filling talk. A text that has no others says nothing to remember.
 * English, and the commonest of German, Spanish, French, Italian, Portuguese and Dutch; words of a radio loop and of
 * chat included.
 */
export const PHATIC = list(`
  ok okay okey k kk yes yeah yep yup ya yah aye no nope nah hi hello hey hiya heya howdy greetings yo sup hola hallo
  salut bonjour ciao ola moin servus
  thanks thank thx ty tysm danke gracias merci grazie obrigado obrigada bedankt please bitte favor welcome cheers ta
  bye goodbye byebye cya farewell tschuss adios
  ja nein si oui non nee oh ah aha ooh uh um hm hmm hmmm mm mmm mhm huh er eh ha haha hahaha hehe lol lmao rofl omg wow
  whoa woah yay yikes ugh oops ouch phew aw aww ahem meh
  sure certainly absolutely definitely totally exactly precisely indeed true correct right alright fine great good nice
  cool awesome amazing wonderful lovely perfect excellent
  brilliant fantastic super superb terrific fab fabulous incredible unbelievable neat sweet splendid marvellous
  marvelous outstanding impressive beautiful gorgeous adorable cute
  interesting fascinating funny hilarious exciting excited sad bad awful terrible horrible crazy insane wild weird
  strange odd
  fair enough sorry apologies apologise apologize excuse pardon regret regards congrats congratulations bravo kudos
  happy glad pleased pleasure delighted love loved like likes liked
  honest honestly seriously serious really actually literally basically obviously clearly probably possibly perhaps
  maybe anyway anyways somehow kinda sorta gonna wanna gotta
  well so just very quite pretty too also again still even rather much many lot lots bit little tad kind sort thing
  things stuff something anything nothing everything someone anyone everyone
  everybody anybody somebody nobody none
  know knew known think thought guess suppose believe mean meant means see seen saw look looks looking sound sounds
  seem seems feel feels feeling hear heard listen
  say says said tell told talk talking speak speaking chat ask asking asked question questions answer wonder wondering
  get got gets getting go goes going gone went come comes coming came let lets make makes making made do does doing
  done did take takes taking give gives giving put
  want wants need needs try trying help helps helping helpful kindly wait waiting hold hang moment sec second seconds
  minute minutes
  have has having hope hoping wish wishing care worry worries problem problems issue trouble bother mind matter
  appreciate appreciated grateful luck lucky kidding joking joke
  luck nerve proud jealous agree agreed understand understood roger copy affirmative affirm negative wilco over out
  standby loud clear
  later soon now then today tonight tomorrow yesterday day days night evening morning afternoon weekend week time times
  while moment monday mondays friday fridays year ages
  best better worst worse big huge hard easy long short new old same different other another first last next once
  always never ever
  rest enjoy relax sleep dreams fun weather sunny rain rainy cold hot warm outside
  guy guys man dude bro mate buddy pal friend friends folks everyone all dear sir madam maam team people darling honey
  will would shall should can could may might must cannot able way place point case fact idea sense deal shame pity
  word words news
  keep stay start begin continue proceed ready set meet meeting met catch back around along here there where how what
  why when who which
  rock rocks rule rules legend genius star hero kind sweetheart
  tbh imo imho btw fyi idk ikr np yw brb ttyl gtg thx pls plz omw nvm
  gut danke super genau klar gerne bitte bis bald schon bien vale claro bueno bon accord va bene prego grazie tudo bem
`)

/** Words of everyday life that tell nothing among small talk alone, and beside other words as much as these. */
export const CASUAL = list(`
  tired exhausted bored sleepy hungry thirsty busy chill chilling relaxing hanging lazy stressed excited curious
  confused surprised impressed glad nervous comfortable
  plan plans works worked working work job done reply late early letting check checking checked gotcha welp yup
  whatever cheer smile laugh laughing laughed giggle blah
  share sharing shared story stories advice tip tips chance opportunity part half whole life world heart minds opinion
  view views
  lunch dinner breakfast coffee tea drink asap shortly afterwards whenever wherever
  handle manage managed figure figured sort sorted forget forgot remember reminded remind catch caught notice noticed
  awkward boring dull silly stupid dumb clever smart brave strong safe healthy blessed thankful hopeful lost stuck
  example examples detail details info information reason reasons quick quickly slowly easily finally eventually
  recently lately ahead
  use useful using used full empty prepared free open available
  decent dreadful ghastly appalling magnificent glorious charming delightful disgusting gross ridiculous absurd unreal
  epic classic typical heartbreaking touching priceless hopeless harsh heroine envy envious deserve deserved deserves
  earned ideas expect expected surprise surprises cry crying
  bless god gosh goodness heavens christ jesus damn darn hell heck crap shit fuck fucking bloody
`)

/** Words of small talk with a letter drawn out: "heyy", "sooo". */
const DRAWN_OUT = /(\p{L})\1+$/u

/** Whether a word is of small talk, however it is drawn out: "heyy"; "thinking" as "think". */
export function isPhatic(word: string): boolean {
  return [word, word.replace(DRAWN_OUT, '$1'), word.replace(/ing$/, '')].some((form) => PHATIC.has(form))
}

/** Denials that were written without their apostrophe, as they are written with it. */
export const APOSTROPHES: ReadonlyMap<string, string> = new Map(
  (
    `ain't aren't can't couldn't didn't doesn't don't hadn't hasn't haven't isn't mustn't needn't shouldn't ` +
    `wasn't weren't won't wouldn't`
  )
    .split(' ')
    .map((word) => [word.replace("'", ''), word]),
)

/** "We are out of milk", but not "he is out of town". */
const OUT_OF = new RegExp(
  String.raw`\b(?:am|is|are|was|were|be|been|being|run|runs|ran|running)\s+out\s+of\s+(?!(?:bed|business|control|` +
    String.raw`date|hospital|office|place|prison|reach|sight|the|this|town|work|a|an|my|our|your|his|her|their)\b)`,
  'giu',
)

/** Phrases that seem to deny, or to name no change, as what they mean. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\b(?:no|not) (?:more|longer) than\b/giu, 'at most'],
  [/\b(?:no|not) (?:less|fewer) than\b/giu, 'at least'],
  [/\bevery other (?=(?:hour|day|night|week|month|year|morning|evening|\p{L}+day)\b)/giu, 'every second '],
  [/\bout of stock\b/giu, 'sold out'],
  [/\bout of order\b/giu, 'broken'],
  [OUT_OF, 'has no '],
  [/\bno (\p{L}+) (?:is |are )?left\b/giu, 'no $1'],
  [/\bfail(?:s|ed)? to\b/giu, 'does not'],
  [/\b(?:has|have|had) yet to\b/giu, 'does not'],
  [/\b(?:anything but|far from being)\b/giu, 'not'],
  [/\bfree (?:of|from) (?!charge\b|cost\b)/giu, 'without '],
  [/\black(?:s|ed)? (?!of\b)/giu, 'has no '],
  [/\b(?:do not|don['’]?t|never) (?:let (?:me|us) )?forget to\b/giu, 'remember to'],
  [/\bremind (?:me|us) to\b/giu, 'remember to'],
  [/\b(?:from now on|as of now|from today on)\b/giu, 'henceforth'],
]

/** A text with phrases in it as what they mean. */
export function phrased(text: string): string {
  return PHRASES.reduce((said, [phrase, meant]) => said.replace(phrase, meant), text)
}

/** Interjections after which a name is only spoken to. */
export const OPENERS = list(`
  hi hello hey hiya howdy thanks thank thx cheers bye goodbye morning good welcome congrats congratulations sorry dear
  ok okay yes no sure roger hola hallo ciao danke merci
`)

/** Words that say little of their own in any text: their absence elsewhere is no news. Stop words are left out here. */
export const LIGHT = list(`
  get got gets getting give gives gave given make makes made making take takes took taken taking do does did done doing
  go goes went gone going come comes came coming put set keep keeps kept
  let lets have has had having be become becomes became becoming remain remains remained stay stays stayed say says
  said saying tell tells told mention mentioned call called calls name named names named
  want wants like likes would need needs thing things stuff way kind sort lot lots bit number amount total
  really actually just also still even quite rather already well now then here there so very much mainly mostly
  basically simply always currently presently
  one ones someone something anything everything everyone anybody nobody else per each every
  please know think see look seem seems use uses used using happen happens happened located situated place places takes
  held hold holds find found
  according roughly about approximately around nearly almost reminder again once repeat told earlier before mentioned
  remember
  own since because due own its regarding concerning will able start starts
  within upon via toward towards among amongst across along throughout despite plus beyond during
  person people guy fact case time times
`)

/**
 * Words of one group exclude each other where one stands for another: parts of the day, how often, how many, how sure.
 * One that is only left out or added tells little.
 */
const GROUPS: readonly string[] = [
  'morning mornings|afternoon afternoons|evening evenings|night nights nightly',
  'always|usually often frequently regularly|sometimes occasionally|rarely seldom|never',
  'daily|weekly|fortnightly|monthly|quarterly|yearly annually annual|hourly|nightly',
  'day days daily|week weeks weekly|month months monthly|year years yearly annual annually|hour hours hourly|' +
    'quarter quarters quarterly|minute minutes|second seconds|decade decades|century centuries',
  'all every everybody everyone|most|some|few|many|none',
  'last previous|next upcoming|this',
  'today|tomorrow|yesterday|tonight',
  'must have required obliged mandatory|may might optional|should',
  'will|might',
  'spring|summer|autumn fall|winter',
  'full fully entirely completely|part partly partially|half|quarter quarters|third thirds',
  'euro euros eur|dollar dollars usd|pound pounds gbp quid|yen|franc francs|rupee rupees|cent cents|krona kronor|' +
    'peso pesos',
  'metre metres meter meters|kilometre kilometres kilometer kilometers km|mile miles|' +
    'centimetre centimetres centimeter centimeters cm|inch inches|foot feet|yard yards',
  'gram grams g|kilo kilos kilogram kilograms kg|pound pounds lb lbs|ounce ounces oz|ton tons tonne tonnes',
  'litre litres liter liters|gallon gallons|pint pints|cup cups|spoon spoons|tablespoon tablespoons|teaspoon teaspoons',
  'thousand thousands|million millions|billion billions|hundred hundreds',
  'north northern|south southern|east eastern|west western',
  'single|double|triple',
  'red|blue|green|yellow|orange|purple violet|pink|brown|black|white|grey gray|silver|gold golden|beige',
]

/** Days, months and seasons: as telling as a name. */
export const CALENDAR: ReadonlyMap<string, string> = new Map(
  `monday mondays mon|tuesday tuesdays tue tues|wednesday wednesdays wed|thursday thursdays thu thurs
  |friday fridays fri|saturday saturdays|sunday sundays
  |january jan|february feb|march|april apr|june jun|july jul|august aug|september sept sep|october oct|
  november nov|december dec`
    .split('|')
    .flatMap((group) =>
      group
        .trim()
        .split(/\s+/)
        .map((word, _, [first]): [string, string] => [word, first]),
    ),
)

/**
 * Opposites, each word by all words that say the contrary. The prefixes un-, in-, dis- and the like are found without.
 */
const OPPOSITES = `
  open opened opening reopen reopened / close closed closes closing shut
  succeed succeeded success successful successfully pass passed passes win won wins / fail failed fails failure \
    unsuccessful lose lost loses
  beat beats beaten defeat defeated / lose lost loses
  accept accepted accepts agree agreed agrees approve approved approves approval confirm confirmed allow allowed \
    allows permit permitted / reject rejected rejects refuse refused refuses decline declined declines deny denied \
    denies forbid forbidden ban banned cancel cancelled canceled disapprove veto vetoed prohibit prohibited
  increase increased increases increasing rise rises rising rose risen raise raised raises grow grew grows growing \
    gain gained gains climb higher up upward more / decrease decreased decreases decreasing fall falls falling fell \
    fallen drop dropped drops dropping lower lowered shrink shrank lose lost loses reduce reduced sink sinking \
    decline declined down downward less
  on online / off offline
  enable enabled enables activate activated active / disable disabled disables deactivate deactivated inactive
  start started starts begin began begins starting launch launched / stop stopped stops end ended ends quit finish \
    finished finishes cease ceased halt halted
  arrive arrived arrives arriving arrival come comes came / leave left leaves leaving depart departed departs \
    departure go goes went
  buy buys bought buying purchase purchased / sell sells sold selling
  borrow borrowed borrows / lend lent lends return returned
  give gave gives given / take took takes taken
  send sent sends / receive received receives
  teach teaches taught / learn learns learned learnt
  love loves loved like likes liked adore enjoy enjoys enjoyed prefer prefers / hate hates hated dislike dislikes \
    disliked despise loathe
  praise praised praises compliment complimented / scold scolded criticise criticised criticize criticized blame blamed
  help helped helps helping support supported / ignore ignored ignores ignoring hinder hindered
  alive living live lives / dead died die dies
  born / died
  married marry marries marry engaged / divorced divorce divorces single separated
  hot warm hotter warmer / cold cool colder cooler freezing
  old older oldest elder / young younger youngest new newer newest
  big bigger biggest large larger largest great greater / small smaller smallest little tiny
  tall taller tallest long longer longest / short shorter shortest
  high higher highest / low lower lowest
  fast faster fastest quick quicker quickly / slow slower slowest slowly
  early earlier earliest / late later latest
  good better best well / bad worse worst badly poorly
  right correct true / wrong incorrect false
  right / left
  heavy heavier / light lighter
  rich richer / poor poorer
  strong stronger / weak weaker
  hard harder difficult / easy easier
  full / empty
  wet / dry
  clean / dirty
  safe / dangerous unsafe
  cheap cheaper / expensive pricier costly
  near nearer close closer / far farther
  inside indoors indoor in / outside outdoors outdoor out
  before / after
  above over / below under
  with / without
  to / from
  front / back rear
  top upper / bottom lower
  day daytime / night nighttime
  need needs needed needing lack lacks lacking / got received
  always / never
  first / last
  manual manually / automatic automatically
  public publicly / private privately
  present / absent
  include included includes including / exclude excluded excludes excluding except
  remember remembered remembers / forget forgot forgets forgotten
  find found finds / lose lost loses
  healthy well / sick ill unwell
  awake wake wakes woke / asleep sleep sleeps
  man men male boy boys / woman women female girl girls
  son sons / daughter daughters
  brother brothers / sister sisters
  father dad / mother mom mum
  husband / wife
  uncle uncles / aunt aunts
  grandfather grandpa / grandmother grandma
  nephew / niece
  king / queen
  he him his / she her hers
  vegetarian vegetarians / vegan vegans
  sunny dry / rainy wet
  rent rents rented / own owns owned
  lock locked locks / unlock unlocked unlocks
  attach attached connect connected / detach detached disconnect disconnected
  possible / impossible
  same equal identical / different
  add added adds / remove removed removes delete deleted
  show shown shows visible / hide hid hidden hides invisible
  break broke broken breaks / fix fixed fixes repair repaired repairs works working
  push pushed / pull pulled
  import imported / export exported
  upload uploaded / download downloaded
  major / minor
  maximum max most / minimum min least
  profit profits / loss losses
  credit / debit
  guilty / innocent
  being / been
  believe believes believed trust trusts trusted / doubt doubts doubted distrust distrusts distrusted mistrust mistrusts
  single unmarried / boyfriend
  single unmarried / girlfriend
  single unmarried / partner
  single unmarried / fiance
  may allowed permitted welcome / forbidden prohibited banned
  positive / negative
  natural / artificial
  permanent / temporary
  fresh / stale frozen
  employed hired hire hires / unemployed fired fire fires dismissed
  promoted promote / demoted demote
  optimistic / pessimistic
  tight / loose
  deep / shallow
  thick / thin
  sweet / sour bitter
  loud / quiet silent
  summer / winter
  savings / checking
  remote remotely / onsite office
`

/**
 * Words that say that a state has changed or is over. Where a text has one that the other lacks, it tells something.
 */
export const CHANGES = list(`
  cancel cancelled canceled cancels postpone postponed delay delayed reschedule rescheduled move moved moves moving
  change changed changes changing switch switched switches replace replaced replaces
  stop stopped stops quit quits leave left leaves resign resigned resigns retire retired retires fire fired sell sold
  sells bought broke broken crash crashed crashes fix fixed fixes repair repaired
  return returned refuse refused refuses reject rejected decline declined die died dead divorce divorced expire expired
  expires close closed reopen reopened lose lost drop dropped abandon abandoned
  terminate terminated discontinue discontinued decide decided outgrew gave instead former formerly ex anymore longer
  yet used gone finish finished complete completed ended over bounced refilled
  revoke revoked withdraw withdrew withdrawn suspend suspended resume resumed delete deleted remove removed rename
  renamed upgrade upgraded downgrade downgraded merge merged revert reverted rolled
  recover recovered heal healed hired promote promoted demote demoted break cured pregnant born married engaged
  arrested stolen missing found destroyed burned flooded
  discharged released admitted evicted relocated swapped swaps converted retrained delivered handed submitted demolished
  torn installed uninstalled thawed melted hatched collapsed leaked jammed blocked unblocked lifted banned forbidden
  expelled enrolled dismissed appointed elected inherited adopted sank sunk burst cracked evacuated restored restarted
  bankrupt transferred reassigned evaporated
  soldout henceforth shipped unpaid except unless correction wrong mistaken mistake
`)

/** By word, the number of its groups and, within each, which member it is. */
const grouped = new Map<string, (readonly [group: number, member: number])[]>()
GROUPS.forEach((group, i) =>
  group.split('|').forEach((member, j) => {
    for (const word of member.split(' ')) grouped.set(word, [...(grouped.get(word) ?? []), [i, j]])
  }),
)

/** By word, the lines and sides of {@link OPPOSITES} where it stands. */
const opposed = new Map<string, (readonly [line: number, side: number])[]>()
OPPOSITES.trim()
  .split('\n')
  .forEach((line, i) =>
    line.split(' / ').forEach((side, j) => {
      for (const word of side.trim().split(/\s+/)) opposed.set(word, [...(opposed.get(word) ?? []), [i, j]])
    }),
  )

const PREFIXES = ['un', 'in', 'im', 'il', 'ir', 'dis', 'non', 'mis', 'de']
/** Fewer letters of a stem than these are no word that a prefix turns round. */
const SHORTEST = 3

/** Whether a word belongs to a closed group, whose members exclude each other. */
export function isGrouped(word: string): boolean {
  return grouped.has(word)
}

/** Whether two words are different members of one group. */
export function exclude(a: string, b: string): boolean {
  const others = grouped.get(b)
  if (others === undefined) return false
  return (grouped.get(a) ?? []).some(([group, member]) => others.some(([g, m]) => g === group && m !== member))
}

/** Whether two words are the same member of one group: "km" and "kilometres". */
export function isSameMember(a: string, b: string): boolean {
  const others = grouped.get(b)
  if (others === undefined) return false
  return (grouped.get(a) ?? []).some(([group, member]) => others.some(([g, m]) => g === group && m === member))
}

/** Whether two words say the contrary of each other. */
export function opposite(a: string, b: string): boolean {
  const others = opposed.get(b)
  const sides = others === undefined ? [] : (opposed.get(a) ?? [])
  if (sides.some(([line, side]) => others!.some(([l, s]) => l === line && s !== side))) return true
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  if (short.length < SHORTEST) return false
  if (PREFIXES.some((prefix) => long === prefix + short)) return true
  return long.endsWith('less') && long.slice(0, -4) === short.replace(/ful$/, '')
}

/** Whether two words stand on one side of a pair of opposites: "bought" and "purchased". */
export function isSameSide(a: string, b: string): boolean {
  const others = opposed.get(b)
  if (others === undefined) return false
  return (opposed.get(a) ?? []).some(([line, side]) => others.some(([l, s]) => l === line && s === side))
}

/** Verbs that mean something else with a word after them, as what they then mean; the word may stand a little later. */
const PHRASAL: Readonly<Record<string, string>> = {
  'call off': 'cancelled',
  'give up': 'stopped',
  'put off': 'postponed',
  'push back': 'postponed',
  'turn down': 'rejected',
  'break down': 'broken',
  'break up': 'divorced',
  'split up': 'divorced',
  'turn off': 'disabled',
  'switch off': 'disabled',
  'turn on': 'enabled',
  'switch on': 'enabled',
  'carry on': 'continue',
  'go up': 'increased',
  'go down': 'decreased',
  'shut down': 'closed',
  'roll back': 'reverted',
  'pay back': 'repaid',
  'give back': 'returned',
  'bring back': 'returned',
  'run out': 'out',
  'sell out': 'soldout',
  'throw out': 'removed',
  'throw away': 'removed',
  'pass away': 'died',
  'set up': 'installed',
  'sign up': 'registered',
  'stand by': 'standby',
  'take over': 'replaced',
  'fall through': 'failed',
  'cut down': 'removed',
  'move out': 'left',
  'wake up': 'awake',
  'used to': 'formerly',
}
const FORMS: Readonly<Record<string, string>> = {
  calls: 'call',
  called: 'call',
  gives: 'give',
  gave: 'give',
  given: 'give',
  giving: 'give',
  puts: 'put',
  pushed: 'push',
  pushes: 'push',
  turns: 'turn',
  turned: 'turn',
  breaks: 'break',
  broke: 'break',
  broken: 'break',
  splits: 'split',
  switched: 'switch',
  switches: 'switch',
  carried: 'carry',
  goes: 'go',
  went: 'go',
  gone: 'go',
  going: 'go',
  shuts: 'shut',
  rolled: 'roll',
  pays: 'pay',
  paid: 'pay',
  brought: 'bring',
  ran: 'run',
  runs: 'run',
  sold: 'sell',
  sells: 'sell',
  threw: 'throw',
  thrown: 'throw',
  passed: 'pass',
  passes: 'pass',
  takes: 'take',
  took: 'take',
  taken: 'take',
  fell: 'fall',
  fallen: 'fall',
  falls: 'fall',
  cuts: 'cut',
  moved: 'move',
  moves: 'move',
  moving: 'move',
  wakes: 'wake',
  woke: 'wake',
  calling: 'call',
  signed: 'sign',
  signs: 'sign',
  putting: 'put',
  turning: 'turn',
  breaking: 'break',
}

/** What a verb and a word after it mean together, if that is something of its own. */
export function phrasal(verb: string, particle: string): string | undefined {
  const key = `${FORMS[verb] ?? verb} ${particle}`
  return Object.hasOwn(PHRASAL, key) ? PHRASAL[key] : undefined
}
