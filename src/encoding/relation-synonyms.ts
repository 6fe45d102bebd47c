/** A relation in the words in which English names it. Every phrase stands for all its inflections. */
export interface RelationWords {
  /** Phrases that mean the same, so that to deny one is to deny each. The first is the relation's name. */
  readonly same: readonly string[]
  /** Phrases that mean more: who loves also likes, but who does not love may like. */
  readonly implies?: readonly string[]
  /**
   * Phrases that are true only where the relation is not: who hates does not like, but who does not hate need not like.
   */
  readonly excludes?: readonly string[]
}

/**
 * Relations that people name in several ways. A relation has one object at a time if one of its phrases is in
 * `FUNCTIONAL_PREDICATES`. Left out is what only often goes together: who comes from a place need not have been born
 * there.
 */
export const RELATIONS: readonly RelationWords[] = [
  {
    same: [
      'lives in',
      'resides in',
      'dwells in',
      'inhabits',
      'is domiciled in',
      'is a resident of',
      'makes home in',
      'has home in',
      'home is in',
      'residence is in',
      'city of residence',
      'place of residence',
      'has settled in',
    ],
    excludes: ['moved out of', 'moved away from'],
  },
  { same: ['lives at', 'resides at', 'address', 'home address', 'address is', 'home address is', 'dwells at'] },
  {
    same: [
      'works at',
      'works for',
      'employed by',
      'employed at',
      'employed with',
      'employer',
      'employer is',
      'has a job at',
      'has a job with',
      'is an employee of',
      'workplace',
      'is on the payroll of',
      'is on the staff of',
    ],
    excludes: [
      'quit',
      'quit job at',
      'left job at',
      'resigned from',
      'retired from',
      'was fired by',
      'was fired from',
      'was laid off by',
      'left',
    ],
  },
  {
    same: [
      'works as',
      'employed as',
      'job',
      'job is',
      'job title',
      'occupation',
      'occupation is',
      'profession',
      'profession is',
      'earns a living as',
      'is by profession',
    ],
  },
  {
    same: [
      'married to',
      'wed to',
      'spouse',
      'spouse is',
      'husband',
      'husband is',
      'wife',
      'wife is',
      'is the husband of',
      'is the wife of',
      'is the spouse of',
    ],
    excludes: ['divorced from', 'divorced'],
  },
  { same: ['engaged to', 'betrothed to', 'fiancé', 'fiancé is', 'fiancée', 'fiancée is'] },
  {
    same: [
      'born in',
      'born at',
      'birthplace',
      'birthplace is',
      'place of birth',
      'place of birth is',
      'is a native of',
    ],
  },
  {
    same: [
      'born on',
      'birthday',
      'birthday is',
      'birthday is on',
      'birth date',
      'birth date is',
      'date of birth',
      'date of birth is',
    ],
  },
  { same: ['died in', 'place of death', 'place of death is', 'passed away in'] },
  { same: ['died on', 'date of death', 'date of death is', 'passed away on'] },
  { same: ['last name', 'surname', 'family name', 'last name is', 'surname is', 'family name is'] },
  { same: ['first name', 'given name', 'first name is', 'given name is'] },
  { same: ['age', 'age is', 'is aged'] },
  { same: ['mother', 'mother is'] },
  { same: ['father', 'father is'] },
  {
    same: [
      'headquartered in',
      'headquarters in',
      'headquarters are in',
      'head office is in',
      'has head office in',
      'main office is in',
    ],
  },
  { same: ['founded in', 'established in', 'was set up in'] },
  { same: ['founded on', 'established on', 'was set up on'] },
  { same: ['price', 'price is', 'costs', 'cost is', 'is priced at', 'sells for', 'retails at', 'retails for'] },
  {
    same: [
      'deadline',
      'deadline is',
      'deadline is on',
      'due on',
      'due by',
      'due date',
      'due date is',
      'must be finished by',
      'has to be finished by',
    ],
  },
  {
    same: ['starts at', 'begins at', 'commences at', 'kicks off at', 'start time', 'start time is', 'starting time is'],
  },
  { same: ['starts on', 'begins on', 'commences on', 'start date', 'start date is'] },
  { same: ['ends at', 'finishes at', 'concludes at', 'end time', 'end time is'] },
  { same: ['ends on', 'finishes on', 'concludes on', 'end date', 'end date is'] },
  {
    same: [
      'scheduled for',
      'planned for',
      'set for',
      'takes place on',
      'takes place at',
      'scheduled on',
      'scheduled at',
    ],
  },
  { same: ['phone number', 'phone', 'phone is', 'phone number is'] },
  { same: ['email', 'email is', 'email address', 'email address is', 'mail address', 'mail address is'] },
  {
    same: ['likes', 'enjoys', 'is fond of', 'is keen on', 'takes pleasure in'],
    implies: ['loves', 'adores', 'is crazy about'],
    excludes: ['dislikes', 'hates', 'detests', 'loathes', "can't stand", "can't bear", 'despises'],
  },
  { same: ['owns', 'possesses', 'is the owner of', 'is in possession of'] },
  { same: ['trusts', 'has confidence in', 'has trust in'], excludes: ['distrusts', 'mistrusts'] },
  {
    same: ['supports', 'backs', 'is in favour of'],
    excludes: ['opposes', 'is against', 'is opposed to', 'objects to'],
  },
  { same: ['agrees with', 'is in agreement with', 'concurs with'], excludes: ['disagrees with'] },
  { same: ['approves of', 'approved'], excludes: ['disapproves of', 'vetoed'] },
  { same: ['accepts', 'accepted'], excludes: ['rejects', 'declined', 'refused'] },
  { same: ['manages', 'supervises', 'is the manager of', 'is the boss of', 'is the supervisor of'] },
  { same: ['reports to', 'is managed by', 'is supervised by', 'boss is', 'supervisor is'] },
  { same: ['speaks', 'can speak'], implies: ['is fluent in', 'speaks fluently'] },
  { same: ['uses', 'utilizes', 'makes use of'], excludes: ['avoids using'] },
  { same: ['needs', 'requires', 'is in need of'] },
  { same: ['wants', 'desires', 'wishes for', 'would like'] },
  { same: ['has', 'has got'], excludes: ['lacks'] },
  { same: ['includes', 'contains', 'comprises'], excludes: ['excludes', 'is free of', 'omits'] },
  { same: ['eats', 'can eat'], excludes: ['abstains from', 'avoids eating'] },
  { same: ['attends', 'takes part in', 'participates in'], excludes: ['skipped', 'missed', 'is absent from'] },
  { same: ['allows', 'permits'], excludes: ['forbids', 'prohibits', 'bans', 'disallows'] },
  { same: ['is a member of', 'belongs to'] },
  { same: ['is allergic to', 'has an allergy to'] },
]

/** Words that mean the same wherever they stand in the name of a relation. */
export const WORD_SYNONYMS: Readonly<Record<string, string>> = {
  favourite: 'favorite',
  fave: 'favorite',
  colour: 'color',
  favour: 'favor',
  film: 'movie',
  mum: 'mother',
  mom: 'mother',
  mummy: 'mother',
  mommy: 'mother',
  mama: 'mother',
  dad: 'father',
  daddy: 'father',
  papa: 'father',
  telephone: 'phone',
  tel: 'phone',
  centre: 'center',
  neighbour: 'neighbor',
  licence: 'license',
  programme: 'program',
  utilise: 'utilize',
  utilises: 'utilizes',
  organiser: 'organizer',
}
