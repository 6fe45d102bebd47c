/** Words that tell which statements go on being true of somebody: in lower case, apart from inflection. */
const words = (list: string): ReadonlySet<string> =>
  new Set(
    list
      .trim()
      .split(/\s+/)
      .map((word) => word.replaceAll('_', ' ')),
  )

/** Who somebody is to somebody, and animals that people keep. */
export const KIN = words(`
  sister brother mother father mum mom dad parent son daughter child baby wife husband spouse partner boyfriend
  girlfriend fiancé fiancée fiance fiancee ex uncle aunt auntie cousin nephew niece grandmother grandfather grandma
  grandpa gran nan granddad grandson granddaughter grandchild twin stepmother stepfather stepsister stepbrother stepson
  stepdaughter godmother godfather godson goddaughter mother-in-law father-in-law sister-in-law brother-in-law friend
  best_friend mate roommate flatmate housemate neighbour neighbor colleague coworker boss manager supervisor assistant
  teacher tutor professor mentor coach trainer therapist doctor dentist vet lawyer landlord landlady lodger client
  student pupil apprentice classmate teammate bandmate dog puppy cat kitten pet horse pony hamster rabbit parrot
  tortoise`)

/** What people are by work, study or office. */
export const OCCUPATIONS = words(`
  accountant actor actress advisor analyst archaeologist architect archivist artist astronomer athlete author baker
  barber barista bartender biologist blacksmith boatbuilder bookkeeper bookseller botanist bricklayer builder butcher
  carer caretaker carpenter cartographer cashier chef chemist choreographer cleaner clerk comedian composer conductor
  consultant contractor cook counsellor counselor courier curator dancer decorator dentist designer detective developer
  director doctor driver economist editor electrician engineer entrepreneur farmer filmmaker firefighter fisherman
  florist gardener geographer geologist goldsmith guard hairdresser historian illustrator instructor interpreter
  jeweller joiner journalist judge lawyer lecturer librarian lifeguard locksmith magician manager mathematician mayor
  mechanic medic meteorologist midwife miner minister model musician nanny notary novelist nurse nutritionist
  optician painter paramedic pastor pharmacist philosopher photographer physician physicist physio physiotherapist
  pianist pilot plasterer player plumber poet policeman policewoman politician postman potter priest principal printer
  producer professor programmer psychiatrist psychologist publisher radiologist receptionist reporter researcher
  sailor scientist sculptor secretary shepherd shopkeeper singer social_worker soldier statistician student surgeon
  surveyor tailor teacher technician therapist trainee trainer translator tutor undertaker vet veterinarian vicar
  violinist waiter waitress watchmaker weaver welder woodworker writer zoologist`)

/** What an animal or a person is, beside an occupation. */
export const KINDS = words(`
  dog cat puppy kitten greyhound lurcher terrier labrador collie spaniel poodle beagle retriever dachshund tabby tom
  parrot horse pony donkey goat tortoise widow widower orphan twin vegetarian vegan immigrant refugee pensioner
  veteran believer atheist christian catholic muslim jew buddhist hindu`)

/** States: what somebody does for long. By the first word of the predicate. */
export const STATES = words(`
  lives resides works volunteers teaches studies plays drives speaks sings owns runs builds makes restores wears keeps
  grows bakes paints collects manages leads supports practises practices coaches breeds repairs mends rents sells
  brews knits sews trains`)
/** Words behind a verb with which it still says the same of somebody: "works at", and not "runs out of". */
export const PREPOSITIONS = words('in at for with as to into from on over up')

/** What somebody likes, and what not. */
export const ATTITUDES = words('likes loves enjoys prefers hates dislikes adores fears')

/** Changes of state: what is otherwise from then on. By the first word of the predicate. */
export const CHANGES = words(`
  leaves left quits quit joins opens buys bought marries married breaks hurts fractures sprains fails passes adopts
  adopted wins founds launches books cancels finishes divorces divorced inherits`)
/** Those that lead to a place or a post by a preposition. */
export const MOVES = words(`
  moves moved starts begins transfers retires retired graduates graduated emigrates immigrates enrolls enrols resigns
  resigned applies`)

/** Changes with a word behind the verb. */
export const PHRASES = words(`
  hands_in takes_up gives_up signs_up_for takes_lessons_with used_to_be has_allergy_to is_allergic_to is_married_to
  is_engaged_to is_from grows_up_in born_in can_not_have can_not_eat can_not_stand can_not_bear does_not_eat
  does_not_drink does_not_like does_not_speak no_longer_works_at is_based_in`)

/** What one has for long, beside persons and animals: homes, vehicles, work, instruments, illnesses. */
export const POSSESSIONS = words(`
  house home flat apartment cottage cabin farm farmhouse studio workshop shed greenhouse garage garden allotment plot
  yard orchard balcony land shop store restaurant café cafe bakery business company practice club collection library
  office clinic school band team staff hive hives bees chickens hens sheep goats cows
  car van truck lorry motorbike motorcycle bike bicycle boat canoe kayak yacht scooter caravan tractor sledge sled plane
  job jobs post degree doctorate diploma licence license certificate scholarship grant pension mortgage loan contract
  visa passport shift shifts
  piano guitar violin viola cello bass harp flute clarinet saxophone trumpet accordion banjo mandolin ukulele drums
  drum organ keyboard telescope camera drill oven kiln loom lathe easel bench cupboard cupboards piano
  glasses braces crutches wheelchair pacemaker implant prosthesis tattoo scar beard hearing_aid aid
  diabetes asthma arthritis cancer epilepsy migraine migraines allergy allergies dementia alzheimer's parkinson's
  parkinson depression anxiety adhd autism dyslexia insomnia cataract cataracts hypertension anaemia anemia eczema
  bronchitis pneumonia tinnitus`)

/** Predicates that give a name. */
export const NAMING = words('is_called is_named name_is has_name goes_by')

/** Parts of the body: everybody has them, and only an injury of one tells something. */
export const BODY = words(`
  head hand arm leg foot feet knee ankle wrist shoulder back neck finger thumb toe hip elbow eye ear nose mouth tooth
  teeth hair skin face heart chest stomach throat voice body`)
export const INJURIES = words('breaks hurts fractures sprains')

/** Things that say too little of the person who has them or does something with them. */
export const EMPTY = words(`
  thing things stuff lot bit way kind sort fun luck sense idea chance care time moment while something anything nothing
  everything someone somebody anyone anybody everyone everybody nobody one ones other others same more most much many
  few all both some any this that these those what which who it there here myself yourself himself herself itself part
  look turn case point reason question problem difference mistake people person man woman boy girl life world end half
  rest middle top bottom side day days week weeks month months year years hour hours minute minutes morning afternoon
  evening night today tomorrow yesterday monday tuesday wednesday thursday friday saturday sunday january february march
  april may june july august september october november december christmas easter thought feeling experience reward
  progress effort step beginning success strength courage inspiration motivation dream journey purpose passion
  importance growth hope love joy peace energy vibe mood spirit confidence dedication challenge struggle achievement
  goal adventure memory magic beauty happiness comfort bond connection balance change role opportunity advice tip
  update word mind soul breath trick mark round truth result effect focus attention respect trust patience fear doubt
  worry concern pain loss lesson sight wonder laugh smile hug cheer hold excitement enthusiasm future past present path
  direction distance ride deal number edge option choice decision possibility go sleep tea coffee water time`)

/** Nouns that name a person without telling who it is. */
export const ANYONE = words('man woman boy girl guy lady gentleman person people kid someone somebody one bloke fellow')

/** Words that stand before a name and are no part of it. */
export const TITLES = words('mr mrs ms miss dr doctor prof professor sir lady lord uncle aunt auntie grandma grandpa')

/** Praise, and what is only said in jest of somebody. */
export const PRAISE = words(`
  good great best better bad worst worse nice wonderful lovely perfect fantastic awesome amazing brilliant excellent
  terrible awful horrible real true poor dear fine busy happy proud perfect born future`)

/** Numbers in words, to tell ages. */
export const NUMBERS = words(`
  one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
  nineteen twenty thirty forty fifty sixty seventy eighty ninety`)
