/** The words of a list; a `_` stands for a space. */
export const words = (list: string): ReadonlySet<string> =>
  new Set(
    list
      .trim()
      .split(/\s+/)
      .map((word) => word.replaceAll('_', ' ')),
  )

/** Nouns that say who somebody is to somebody, people and animals: "my sister Lena" is a name behind one. */
export const RELATION_NOUNS = words(`
  sister brother mother father mum mom dad daddy mommy mummy mama papa parent son daughter child kid baby wife
  husband spouse partner boyfriend girlfriend fiancé fiancée fiance fiancee ex ex-wife ex-husband ex-boyfriend
  ex-girlfriend uncle aunt auntie cousin nephew niece grandmother grandfather grandma grandpa granny nan granddad
  grandson granddaughter grandchild twin sibling stepmother stepfather stepsister stepbrother stepson stepdaughter
  half-brother half-sister godmother godfather mother-in-law father-in-law sister-in-law brother-in-law son-in-law
  daughter-in-law friend best_friend buddy pal mate roommate flatmate housemate neighbour neighbor colleague
  coworker co-worker boss manager supervisor assistant teacher tutor professor mentor coach trainer therapist doctor
  dentist vet lawyer landlord landlady client student classmate teammate bandmate dog puppy cat kitten pet horse
  pony hamster rabbit parrot bird turtle tortoise goldfish fish guinea_pig`)

/** Adjectives that go on being true of somebody. */
export const LASTING = words(`
  vegetarian vegan pregnant married single divorced engaged widowed retired unemployed allergic gay lesbian bisexual
  trans transgender straight deaf blind left-handed right-handed bilingual adopted diabetic autistic dyslexic
  lactose-intolerant religious atheist jewish catholic muslim christian buddhist hindu american british german
  french italian spanish dutch swedish danish norwegian finnish polish russian ukrainian turkish greek chinese
  japanese korean indian mexican brazilian canadian australian irish scottish welsh english african european asian
  tall short blonde red blue green yellow black white brown purple orange grey gray pink adult self-employed
  freelance dead alive broken closed cancelled ill sick injured homeless famous rich poor colourblind colorblind
  introverted extroverted shy seventy eighty ninety sixty fifty forty thirty twenty`)

const FEMALE = words(`
  sister mother mum mom mommy mummy mama daughter wife girlfriend fiancée fiancee ex-wife ex-girlfriend aunt auntie
  niece grandmother grandma granny nan granddaughter stepmother stepsister stepdaughter half-sister godmother
  mother-in-law sister-in-law daughter-in-law landlady woman girl lady actress waitress queen princess mrs ms miss`)
const MALE = words(`
  brother father dad daddy papa son husband boyfriend fiancé fiance ex-husband ex-boyfriend uncle nephew grandfather
  grandpa granddad grandson stepfather stepbrother stepson half-brother godfather father-in-law brother-in-law
  son-in-law landlord man boy guy gentleman actor waiter king prince mr sir`)
/** Nouns of people beyond those. */
const PEOPLE = words(`
  president chancellor minister mayor judge chef doctor nurse teacher people artist author writer singer player
  scientist researcher official engineer lawyer founder director manager captain officer soldier senator king queen
  person kid child parent sibling partner spouse friend neighbour neighbor colleague boss student teammate classmate`)

export type Gender = 'female' | 'male' | 'person'

/** The sex that a noun in the singular tells of the person it names; `undefined` where it names no person. */
export function genderOf(noun: string): Gender | undefined {
  if (FEMALE.has(noun)) return 'female'
  if (MALE.has(noun)) return 'male'
  return PEOPLE.has(noun) || (RELATION_NOUNS.has(noun) && !ANIMALS.has(noun)) ? 'person' : undefined
}

/** Animals that people keep: "he" and "she" may mean them, and "it". */
export const ANIMALS = words(
  'dog puppy cat kitten pet horse pony hamster rabbit parrot bird turtle tortoise goldfish fish',
)

/** Nouns of which each has one of: "my favourite colour is green" tells of me, not of a colour. */
export const ATTRIBUTES = words(`
  name surname nickname age birthday birthdate height weight address email phone number job profession occupation
  hobby passion nationality password username rent salary wage size favourite favorite major`)

/** Times of which "this" and "every" make adverbs: "she swims every day". */
export const TIME_NOUNS = words(`
  hour day night morning afternoon evening noon week weekend month year season spring summer autumn winter decade
  century today tonight yesterday tomorrow monday tuesday wednesday thursday friday saturday sunday january february
  march april june july august september october november december anniversary`)

/** Things that say too little to be remembered as what a statement is about. */
export const EMPTY_NOUNS = words(`
  thing stuff lot bit way kind sort fun luck sense idea chance care time moment while something anything nothing
  everything someone somebody anyone anybody everyone everybody nobody none one ones other others same more most
  much many few all both some any this that these those what which who whom whatever it there here myself yourself
  himself herself itself ourselves themselves mine yours his hers ours theirs each neither either part look turn
  case point reason question problem difference mistake people person life world moon cloud yes no wow thanks`)

/** What praise and small talk are full of: nothing that somebody has or does is named. */
export const ABSTRACT = words(`
  impact blast reminder experience feeling reward progress effort step start beginning success strength courage
  inspiration motivation dream journey ambition purpose passion importance satisfaction expression growth support
  hope love joy peace acceptance encouragement energy vibe vibes mood spirit confidence determination dedication
  commitment resilience challenge struggle achievement goal adventure memory moment magic beauty happiness gratitude
  comfort bond connection balance change story side part role opportunity advice tip news update word thought mind
  heart soul eye breath guts drive grit trick mark pride kindness truth success result outcome effect focus
  attention respect trust patience talent skill ability potential voice space freedom relief pressure stress fear
  doubt worry concern pain loss grief error trial setback obstacle turn blessing treat thrill highlight perspective
  mindset attitude atmosphere environment setting scene view insight lesson sight wonder laugh smile hug cheer props
  hold adrenaline excitement enthusiasm buzz vision future past present path road direction distance ride deal
  coaster mix number edge gain work supporter point option choice decision possibility hurdle`)

/** Adjectives of a moment, of a reaction or of manners: they tell nothing of somebody. */
export const PASSING = words(`
  sure sorry glad happy sad excited ready fine ok okay alright good great nice cool awesome amazing fantastic
  wonderful lovely beautiful perfect terrible awful horrible bad better best worse tired sleepy exhausted busy late
  early here there back done right wrong true false fun funny crazy weird strange interesting hard easy difficult
  tough nervous worried scared afraid proud grateful thankful thrilled delighted pleased curious surprised shocked
  upset angry mad jealous lucky welcome able willing aware interested bored lonely home away gone asleep awake
  important possible impossible likely unlikely worth clear obvious incredible brilliant excellent super stressful
  cute sweet kind inspiring helpful useful hungry thirsty cold hot warm free available online offline next same
  different like quiet loud serious honest afraid stuck lost together alone over up down out off on in rough insane
  delicious yummy close patient fair enough impressed relieved disappointed confused`)

/** Verbs with what is told, thought or felt behind them: what follows is a clause of its own. */
export const REPORTING = words(`
  say tell mention claim report announce hear read explain add state insist argue warn suggest write`)
export const THINKING = words('think guess believe suppose assume reckon imagine doubt suspect feel bet')
export const HOPING = words('hope wish dream pray')
/** What is so, though somebody only knows or likes it. */
export const FACTIVE = words('know realise realize remember forget notice learn discover love like hate see find show')

/** Verbs that say nothing by themselves, or only what somebody thinks or says. */
export const EMPTY_VERBS = words(`
  think guess mean suppose reckon imagine believe hope wish let thank say tell mention hear seem sound look feel
  appear appreciate wonder doubt bet agree happen matter care worry welcome wait excuse congratulate ask talk
  speak_of go_on remind inspire motivate deserve mean cheer hang hold keep come_on keep_on sigh laugh cry smile
  bless`)

/** Verbs whose infinitive or gerund says what is done: "started learning Spanish". */
export const CHAINING = words(`
  start begin continue keep love like enjoy hate prefer stop quit finish learn try manage use tend go_on`)
/** Of these, what somebody likes: "loves hiking in the hills" is about hiking. */
export const ATTITUDES = words('love like enjoy hate prefer')
export const PLANNING = words('plan intend promise decide agree arrange prepare consider aim expect offer think')
export const WISHING = words('want wish hope long dream')

/** Verbs that come with whom before what: "he gave me a book". */
export const DITRANSITIVE = words(`
  give owe teach send show lend buy bring offer pay hand sell pass promise write tell ask cook make get serve feed
  read leave cost grant award call name`)

/** Verbs of becoming: their past is what happened, and is kept. */
export const CHANGES = words(`
  move leave quit graduate die divorce resign retire migrate emigrate immigrate relocate adopt marry`)

/** Words behind a verb that belong to it: "gave up". */
export const PARTICLES = words('up out off down back away')

/** What opens a turn and names nothing, though it has a capital. */
export const INTERJECTIONS = words(`
  thanks thank thx hey hi hello wow glad yeah yep yup yes no nope nah nice cool great good bad awesome amazing bravo
  whoa woah ugh mmm hmm haha hahaha lol omg oh ah aw aww oof yay congrats congratulations sorry ok okay sick deal
  lucky small poor happy welcome cheers well sure absolutely definitely totally exactly right true sounds looks bye
  goodbye goodnight morning yo dude man bro sis sweet lovely perfect fantastic wonderful excellent brilliant btw
  same`)

/** Common nouns that often open a sentence: their capital makes them no names. */
export const COMMON = words(`
  nature music art dance dancing basketball football soccer tennis chess yoga family food life love people work
  school exercise writing reading painting practice teamwork money time sports gaming cooking words moments pets
  friends kids books movies games dogs cats animals plants parents children students teachers workers police
  officials scientists researchers doctors nurses water fire oil rain snow weather traffic school college university
  church home health sleep balance change education friendship kindness communication creativity patience success
  failure hope winning losing traveling travelling hiking camping running swimming singing acting baking gardening
  photography meditation therapy volunteering shopping fashion technology science history politics religion culture
  language sales prices rent shares stocks profits figures experts critics protesters voters residents firefighters
  soldiers farmers authorities someone somebody something everyone everybody everything nobody nothing mine ours
  yours theirs lunch dinner breakfast coffee tea bread rice meat fish beer wine summer winter spring autumn fall
  christmas today tomorrow yesterday`)

export const NEGATIONS = words("not n't never nt")
/** Adverbs that make what is said uncertain, or somebody else's. */
export const POSSIBLY = words('maybe perhaps possibly probably presumably potentially')
export const REPORTEDLY = words('apparently reportedly allegedly supposedly')

/** Words that stand before a name. */
export const TITLES = words('mr mrs ms miss dr prof professor sir lady lord uncle aunt auntie grandma grandpa')

/** Participles right behind a noun that tell of it: "a choir called the Harbour Singers". */
export const REDUCED = words(
  'called named titled entitled based located made written directed founded built known owned led set',
)
/** Things that a verb without weight makes into a verb: "takes place in", "had lunch with". */
export const LIGHT_NOUNS = words(
  'place part lunch dinner breakfast brunch coffee drinks contact access trouble interest',
)
