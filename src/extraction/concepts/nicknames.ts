/**
 * English nicknames, each line with what they may be short for. Compiled for this project from common knowledge; a name
 * that is short for very many is left out.
 */
const TABLE = `
abby abbie: abigail
al: alan albert alexander alfred alvin
alex: alexander alexandra alexandria alexis
allie ally: alison allison alexandra
andy drew: andrew
angie: angela angelica
annie: anne anna ann
art: arthur
barb: barbara
becky becca: rebecca
ben benny: benjamin
bernie: bernard bernadette
bert: albert robert herbert
beth betty betsy bess: elizabeth
bill billy will willie: william
bob bobby rob robbie: robert
brad: bradley
cal: calvin
cam: cameron
carl: carlton
cathy kathy kate katie kat kitty: katherine catherine kathleen katharine kathryn
charlie chuck chas: charles charlotte
chris: christopher christian christine christina christa
chrissy christy tina: christine christina
cindy: cynthia lucinda
clem: clement clementine
cliff: clifford clifton
connie: constance
dan danny: daniel
dani: danielle daniela
dave davy: david
deb debbie: deborah debra
dick rick ricky rich richie: richard
dom: dominic
don donny: donald
donnie: donald
dot dottie: dorothy
doug: douglas
ed eddie ned ted teddy: edward
eddy: edward edwin edgar
ellie: eleanor ellen elizabeth
eve evie: evelyn
flo: florence
fran frankie: frances francis
frank: francis franklin
fred freddie freddy: frederick alfred
gabe: gabriel
gabby: gabrielle gabriela
gene: eugene
geoff jeff: geoffrey jeffrey
gerry jerry: gerald jeremy jerome
gina: regina georgina
ginny: virginia
grace gracie: grace
greg: gregory
gus: august augustus gustav
hal hank harry: henry harold
hattie: harriet
herb: herbert
iggy: ignatius
izzy: isabel isabella isabelle isidore
jack: john jackson
jackie: jacqueline
jake: jacob
jan: janet janice
jen jenn jenny jennie: jennifer
jess jessie: jessica
jill: gillian jillian
jim jimmy jamie: james
jo: joanna josephine joanne
joe joey: joseph
johnny jon: john jonathan
josh: joshua
josie: josephine
judy: judith
ken kenny: kenneth
kim: kimberly
kris: kristina kristen kristopher
larry: lawrence laurence
laurie: laura lauren
lenny len leo: leonard leonardo
les: leslie lester
lexi: alexis alexandra
libby lizzie liz lisa eliza: elizabeth
lou: louis louise
lucy: lucille lucinda
lynn: linda
maddie: madeline madeleine madison
maggie meg peggy marge margie: margaret
mandy: amanda
marty: martin
mat matt matty: matthew matthias
max: maxwell maximilian maxine
mel: melanie melissa melinda melvin
mickey mike mick mikey: michael
millie: mildred millicent camilla
mindy: melinda
mitch: mitchell
molly polly: mary
nan nancy: ann anne
nat: nathan nathaniel natalie natasha
nate: nathan nathaniel
nell nellie: eleanor helen
nick nicky: nicholas nicola nicole
nora: eleanor honora
norm: norman
ollie: oliver olivia
pam: pamela
pat: patrick patricia
patty patti tricia trish: patricia
penny: penelope
pete: peter
phil: philip phillip
rafe: raphael
ray: raymond
reg reggie: reginald
ron ronnie: ronald veronica
rosie: rose rosemary
roz: rosalind
russ: russell
sally sadie: sarah
sam sammy: samuel samantha
sandy: sandra alexander alexandra
sean: shaun
seb: sebastian
sid: sidney
sophie: sophia
stan: stanley
steph: stephanie stephen
steve stevie: steven stephen
stu: stuart stewart
sue susie suzie: susan suzanne susanna
tammy: tamara
tess tessa terri: theresa teresa
terry: terence theresa teresa
theo: theodore theodora
tim timmy: timothy
tom tommy: thomas
toni: antonia antoinette
tony: anthony antonio
trudy: gertrude
val: valerie valentine
vic: victor victoria
vicky vicki tori: victoria
vince vinny: vincent
wally walt: walter
wes: wesley
winnie: winifred
zach zack: zachary
`

const FORMAL = new Map<string, Set<string>>()
for (const line of TABLE.trim().split('\n')) {
  const [short, full] = line.split(': ')
  for (const nickname of short.split(' ')) {
    const known = FORMAL.get(nickname) ?? new Set<string>()
    for (const name of full.split(' ')) if (name !== nickname) known.add(name)
    FORMAL.set(nickname, known)
  }
}
const GIVEN: ReadonlySet<string> = new Set([...FORMAL.keys(), ...[...FORMAL.values()].flatMap((names) => [...names])])
const NONE: ReadonlySet<string> = new Set()

/** The given names that a nickname may stand for, in lower case; none for what is no nickname of the table. */
export function formalNames(nickname: string): ReadonlySet<string> {
  return FORMAL.get(nickname) ?? NONE
}

/** Whether the table of nicknames has a given name, be it short or full, in lower case. */
export function isGivenName(word: string): boolean {
  return GIVEN.has(word)
}

/** Letters that a short name has at least, and that the full name has more, where only the beginning says so. */
const SHORTEST = 3
const MORE = 2

/**
 * Whether a given name begins with another, as "Caroline" with "Caro": a nickname that no table need have.
 *
 * @param short in lower case, as `full`.
 */
export function isBeginning(short: string, full: string): boolean {
  return short.length >= SHORTEST && full.length >= short.length + MORE && full.startsWith(short)
}

const SHORT = new Map<string, Set<string>>()
for (const [nickname, names] of FORMAL)
  for (const name of names) SHORT.set(name, (SHORT.get(name) ?? new Set()).add(nickname))

/** The nicknames of a given name by the table, in lower case. */
export function nicknamesOf(name: string): ReadonlySet<string> {
  return SHORT.get(name) ?? NONE
}
