import { term } from '../../encoding/tokens.js'

/**
 * Words of everyday English that say about the same, a line each; any inflection of them is meant. A word may stand in
 * several lines.
 */
const SYNONYMS = `
  client customer buyer patron
  company firm business startup corporation employer enterprise
  job work position role post employment occupation
  employee worker staff
  boss manager supervisor chief head leader
  colleague coworker teammate
  meeting appointment session conference
  complete completed finish finished done
  begin began begun start started commence launch
  end ended finish finished conclude concluded
  move relocate moved relocated
  live lived reside resided dwell
  live home
  live house
  live flat apartment
  home house place residence
  flat apartment condo
  buy bought purchase purchased acquire acquired got
  sell sold
  rent rented lease leased
  car automobile vehicle auto drive drives drove driving
  bike bicycle cycle
  truck lorry
  plane airplane aircraft flight fly flies flew flying
  trip journey travel tour voyage travelling traveling
  holiday vacation break
  doctor physician medic
  dentist dental
  ill sick unwell
  illness sickness disease
  medicine medication drug pills tablets
  surgery operation operate
  hurt injured injury wound
  pain ache hurts sore
  broke broken fracture fractured
  kid kids child children youngster
  baby infant newborn
  mother mom mum mommy mama
  father dad daddy papa
  parents mother mom mum
  parents father dad
  grandmother grandma granny nan
  grandfather grandpa granddad
  wife spouse partner
  husband spouse partner
  boyfriend partner
  girlfriend partner
  sibling brother
  sibling sister
  wedding marriage married marry wed
  birthday born birth
  friend buddy pal mate
  love loves adore enjoy like fond favourite favorite
  hate dislike detest loathe
  favourite favorite prefer preferred best
  want wants wish desire like
  need needs require required requires must necessary
  happy glad pleased delighted
  sad unhappy down
  angry mad furious upset
  afraid scared frightened fear fears terrified frighten frightens scares
  tired exhausted sleepy weary
  hungry starving
  big large huge enormous great
  small little tiny
  fast quick quickly rapid rapidly swift
  slow slowly
  smart clever intelligent bright
  pretty beautiful lovely handsome
  rich wealthy
  cheap inexpensive affordable
  expensive costly pricey dear
  money cash funds funding
  cost costs price priced fee charge charged charges billed bill paid pay pays
  salary wage wages pay earn earns earning paid
  raise raised collect collected secured
  invoice bill
  phone telephone mobile cell cellphone
  phone call ring rang reach
  email mail
  write wrote message text texted
  laptop notebook computer
  photo photograph picture image
  film movie
  show programme program series
  song music track tune
  book novel
  newspaper paper
  shop store market
  shop shopping buy
  restaurant diner eatery
  cafe coffee coffeehouse
  food meal dish
  dinner supper
  breakfast
  eat eats eating ate eaten consume consumes dine dines
  drink drinks drank sip
  cook cooks cooking cooked prepare prepares make
  garbage trash rubbish waste
  street road avenue lane
  city town
  country nation
  garden yard
  sofa couch
  fridge refrigerator
  lift elevator
  toilet bathroom restroom washroom
  autumn fall
  university college
  school class
  teacher tutor instructor
  student pupil
  learn learning studying study studies
  exam test quiz
  lesson class course
  homework assignment
  teach teaches teaching instruct
  speak speaks talk talks fluent
  language tongue
  play plays playing player
  game match
  team squad side
  win won victory beat defeated
  run runs running jog jogs jogging
  swim swims swimming swimmer
  climb climbs climbing climber
  dance dances dancing dancer
  sing sings singing singer
  paint paints painting painter
  bake bakes baking baker
  gym workout exercise training
  wait waited
  help helped assist assisted assistance support aid
  fix fixed repair repaired mend mended
  error bug fault defect issue problem
  crash crashes crashed crashing fail failing fails
  deploy deployed deployment release released rollout ship shipped live
  version release
  server machine host
  delete deleted remove removed erase erased
  add added include included
  change changed alter altered modify modified adjust adjusted
  update updated upgrade upgraded
  create created make made build built
  show shows display displays shown displayed
  save saved store stored keep kept
  send sent mail mailed ship shipped deliver delivered
  receive received get got
  arrive arrives arrival reach come comes coming get land
  leave leaves depart departs departure
  return returned back
  visit visits visited see
  stay stays staying
  sleep sleeps asleep slept sleeping
  bed bedtime sleep
  wake wakes up
  open opens opened
  close closes closed shut shuts
  locked secured
  turn become became turned
  happen happened occur occurred
  occur take place
  agree agreed accept accepted consent approve approved approval
  refuse refused decline declined reject rejected
  allow allowed permit permitted let
  forbid forbidden prohibit prohibited ban banned
  cancel cancelled canceled scrap scrapped axed
  postpone postponed delay delayed defer deferred rescheduled
  early ahead
  late overdue
  book booked reserve reserved reservation booking
  ticket tickets admission entry
  free nothing gratis costless
  quit resign resigned left
  fire fired dismiss dismissed sacked
  hire hired recruit recruited employ employed
  retire retired
  lead leads run runs manage manages head heads chair direct directs charge
  own owns have has possess belong belongs
  use uses using utilise utilize employ
  get obtain
  give gave given hand handed donate
  lend lent loan loaned
  borrow borrowed loan
  owe owes owed debt
  die died dead passed deceased
  kill killed
  lose lost
  find found discover discovered locate
  hide hid hidden conceal
  search look seek
  ask asked request requested
  answer answered reply replied respond responded
  say said state stated mention mentioned tell told
  explain explained describe described
  promise promised vow
  decide decided choose chose chosen opt
  plan plans planning intend intends considering thinking
  think believe consider reckon
  know knows aware
  remember recall
  forget forgot forgotten
  call named called name known
  rain raining rainy
  snow snowing
  hot warm heat
  cold chilly cool
  sunny sun
  rise rising rose increase increasing increased climb climbing
  fall falling fell decrease decreasing decreased drop dropping dropped
  heavy weighs
  tall height
  old age aged years
  crazy insane ridiculous
  near close nearby next
  far distant
  beside next by
  entire whole full fully complete
  part partial partly
  same identical
  different other
  wrong incorrect mistaken
  right correct accurate
  quiet silent calm
  noisy loud
  safe secure
  dangerous risky hazardous
  empty vacant
  full packed crowded
  vegetarian meatless
  allergic allergy allergies reaction
  trouble problem difficulty
  doctor dr
  colour color
  metre meter
  kilometre kilometer km
  gigabyte gigabytes gb
  megabyte megabytes mb
  minute minutes min mins
  hour hours hr hrs
  second seconds sec secs
  percent percentage
  gram grams g
  kilogram kilo kg
  test tests check
  contract agreement
  landlord owner
  neighbour neighbor
  package parcel
  lawyer attorney solicitor
  police officer cops cop
  goal aim target objective
  party celebration
  gift present
  invite invited invitation
  guest guests visitor visitors
  marry married wedding
  pregnant expecting
  healthy fine
  stop stopped quit cease
  continue carry proceed
  wear wears wearing dressed
  carry carries carried bring brings
  hold holds
  contain contains include includes
  depend depends
  mainly mostly chiefly primarily
  roughly about approximately around
  often frequently
  rarely seldom
  daily day everyday
  weekly week
  monthly month
  yearly annual annually year
  nightly night
`

const lines = new Map<string, number[]>()

function linesOf(word: string): readonly number[] {
  if (lines.size === 0) {
    SYNONYMS.trim()
      .split('\n')
      .forEach((line, i) => {
        for (const one of line.trim().split(' ')) {
          const stem = term(one) ?? one
          const known = lines.get(stem)
          if (known === undefined) lines.set(stem, [i])
          else if (known[known.length - 1] !== i) known.push(i)
        }
      })
  }
  return lines.get(word) ?? []
}

/** Whether two stems are of words that say about the same. */
export function synonyms(a: string, b: string): boolean {
  const others = linesOf(b)
  return others.length > 0 && linesOf(a).some((line) => others.includes(line))
}
