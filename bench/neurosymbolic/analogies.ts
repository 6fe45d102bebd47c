import type { Observation } from '../../src/api/episode.js'

/** A relation: how two speakers would put it, and pairs that stand in it. */
type Relation = readonly [
  said: string,
  otherwise: string,
  pairs: readonly (readonly [subject: string, object: string])[],
]

const pairs = (text: string) =>
  text.split(', ').map((pair) => pair.split(' / ') as unknown as readonly [string, string])
const relation = (said: string, otherwise: string, text: string): Relation => [said, otherwise, pairs(text)]

/** Fifty relations. The second way to say a relation stands in the statements of the second half of its pairs. */
const RELATIONS: readonly Relation[] = [
  relation('is the capital of', 'is the capital city of', 'Paris / France, Rome / Italy, Oslo / Norway, Lima / Peru'),
  relation('lives in', 'resides in', 'Ann / Bonn, Ben / Graz, Cem / Izmir, Dora / Porto'),
  relation('works at', 'is employed by', 'Ann / Initech, Ben / Globex, Cem / Hooli, Dora / Acme'),
  relation('is married to', 'is the wife of', 'Eva / Finn, Greta / Hugo, Iris / Jan, Kira / Leo'),
  relation('is the mother of', 'is the mom of', 'Mona / Nils, Olga / Pia, Rosa / Sven, Tina / Uli'),
  relation('is the father of', 'is the dad of', 'Finn / Vera, Hugo / Willi, Jan / Xenia, Leo / Yann'),
  relation('is the sister of', 'is a sister of', 'Ann / Zoe, Greta / Ben, Pia / Cem, Vera / Dora'),
  relation('owns', 'has', 'Ann / red bicycle, Ben / sailing boat, Cem / old camera, Dora / grand piano'),
  relation('likes', 'enjoys', 'Ann / jazz, Ben / chess, Cem / sushi, Dora / hiking'),
  relation('plays', 'is playing', 'Eva / violin, Finn / drums, Greta / cello, Hugo / flute'),
  relation('speaks', 'is speaking', 'Eva / Danish, Finn / Welsh, Greta / Farsi, Hugo / Greek'),
  relation('studied at', 'went to university at', 'Iris / Oxford, Jan / Leiden, Kira / Uppsala, Leo / Padua'),
  relation('was born in', 'comes from', 'Iris / Ghent, Jan / Trier, Kira / Turku, Leo / Siena'),
  relation(
    'wrote',
    'is the author of',
    'Tolstoy / Anna Karenina, Austen / Emma, Kafka / The Trial, Mann / Buddenbrooks',
  ),
  relation(
    'painted',
    'is the painter of',
    'Vermeer / The Milkmaid, Munch / The Scream, Klimt / The Kiss, Goya / The Colossus',
  ),
  relation('composed', 'is the composer of', 'Verdi / Aida, Bizet / Carmen, Puccini / Tosca, Mozart / Figaro'),
  relation(
    'directed',
    'is the director of',
    'Lang / Metropolis, Welles / Citizen Kane, Wilder / The Apartment, Tati / Playtime',
  ),
  relation(
    'founded',
    'is the founder of',
    'Mona / Blue Bakery, Olga / Corner Books, Rosa / Tide Tours, Tina / Clay Studio',
  ),
  relation(
    'leads',
    'is the leader of',
    'Nils / payments team, Pia / search team, Sven / design team, Uli / mobile team',
  ),
  relation('reports to', 'is managed by', 'Vera / Nils, Willi / Pia, Xenia / Sven, Yann / Uli'),
  relation('teaches', 'is a teacher of', 'Mona / algebra, Olga / pottery, Rosa / botany, Tina / fencing'),
  relation('is allergic to', 'has an allergy to', 'Vera / peanuts, Willi / pollen, Xenia / penicillin, Yann / latex'),
  relation('fears', 'is afraid of', 'Nils / spiders, Pia / heights, Sven / thunder, Uli / deep water'),
  relation('recommends', 'recommended', 'Vera / Bawri, Willi / Noma, Xenia / Septime, Yann / Asador'),
  relation(
    'serves',
    'is serving',
    'Bawri / thai curry, Noma / reindeer moss, Septime / veal tartare, Asador / grilled turbot',
  ),
  relation('is located in', 'is in', 'Bawri / Bandra, Noma / Copenhagen, Septime / Charonne, Asador / Getaria'),
  relation('borders', 'shares a border with', 'Chad / Niger, Peru / Ecuador, Laos / Vietnam, Togo / Benin'),
  relation('flows through', 'runs through', 'Seine / Rouen, Tiber / Orte, Elbe / Meissen, Ebro / Tudela'),
  relation('has the currency', 'uses the currency', 'Norway / krone, Peru / sol, Vietnam / dong, Ghana / cedi'),
  relation('exports', 'is an exporter of', 'Ghana / cocoa, Chile / copper, Kenya / tea, Qatar / gas'),
  relation('eats', 'feeds on', 'panda / bamboo, koala / eucalyptus, osprey / fish, anteater / ants'),
  relation('hunts', 'preys on', 'stoat / rabbit, heron / frog, lynx / hare, kestrel / vole'),
  relation('is the young of', 'is a baby of', 'calf / cow, foal / horse, kitten / cat, lamb / sheep'),
  relation('is made of', 'consists of', 'window / glass, barrel / oak, sail / canvas, kettle / steel'),
  relation('is part of', 'belongs to', 'wheel / cart, page / notebook, petal / flower, string / guitar'),
  relation('cuts', 'is for cutting', 'scythe / grass, axe / wood, shears / wool, scalpel / skin'),
  relation(
    'measures',
    'is for measuring',
    'thermometer / temperature, barometer / pressure, scale / weight, sextant / angle',
  ),
  relation('causes', 'leads to', 'drought / famine, flood / landslide, virus / fever, frost / burst pipes'),
  relation(
    'prevents',
    'protects against',
    'helmet / head injury, vaccine / measles, sunscreen / sunburn, fuse / short circuit',
  ),
  relation(
    'treats',
    'is a treatment for',
    'insulin / diabetes, aspirin / headache, quinine / malaria, iodine / goitre',
  ),
  relation(
    'discovered',
    'is the discoverer of',
    'Curie / radium, Fleming / penicillin mould, Galle / Neptune, Priestley / oxygen',
  ),
  relation(
    'invented',
    'is the inventor of',
    'Bell / telephone, Diesel / diesel engine, Braille / tactile script, Nobel / dynamite',
  ),
  relation('orbits', 'goes around', 'Titan / Saturn, Io / Jupiter, Triton / Neptune, Phobos / Mars'),
  relation('is the opposite of', 'is opposite to', 'hot / cold, early / late, deep / shallow, rough / smooth'),
  relation('starts at', 'begins at', 'yoga class / seven, choir / eight, stand-up / half past nine, lecture / ten'),
  relation(
    'is scheduled for',
    'takes place on',
    'retreat / Monday, audit / Tuesday, release / Thursday, picnic / Sunday',
  ),
  relation(
    'costs',
    'is priced at',
    'ferry ticket / 12 euros, museum pass / 30 euros, locker / 2 euros, guidebook / 18 euros',
  ),
  relation('depends on', 'needs', 'billing / ledger, search page / indexer, alerts / metrics, login / directory'),
  relation('is written in', 'is implemented in', 'kernel / Rust, compiler / OCaml, firmware / Ada, parser / Haskell'),
  relation(
    'replaces',
    'is the replacement for',
    'new gateway / old gateway, badge / key, tram / bus line, tablet / paper form',
  ),
]

/** A question "a is to b as c is to d". */
export interface AnalogyQuestion {
  readonly a: string
  readonly b: string
  readonly c: string
  readonly d: string
}

/**
 * A memory of all pairs, each said once, and questions about each relation in both directions: from a pair of the first
 * half to one of the second, which is said otherwise, and within the first half.
 */
export function analogies(): { readonly observations: Observation[]; readonly questions: AnalogyQuestion[] } {
  const observations: Observation[] = []
  const questions: AnalogyQuestion[] = []
  for (const [said, otherwise, all] of RELATIONS) {
    all.forEach(([subject, object], i) => {
      const predicate = 2 * i < all.length ? said : otherwise
      observations.push({ text: `${subject} ${predicate} ${object}.`, triples: [{ subject, predicate, object }] })
    })
    const [[a, b], [c, d], [e, f]] = all
    questions.push({ a, b, c, d }, { a: b, b: a, c: d, d: c }, { a, b, c: e, d: f }, { a: b, b: a, c: f, d: e })
  }
  return { observations, questions }
}
