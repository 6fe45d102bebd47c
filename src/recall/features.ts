import { log } from '../core/exponential.js'
import { askedBy, TRAIT } from '../hdc/traits.js'
import { dot } from '../indexes/latents.js'
import { REACH } from './neighbours.js'
import { picked, scaled, share, strongest, type Scale, type Sight } from './sight.js'

/** Numbers for each candidate, row by row; the columns are {@link FEATURES}. */
export interface FeatureTable {
  readonly rows: number
  readonly values: Float64Array
}

/** How many of the best give their words to a second look. */
const FEEDBACK_DEPTH = 6
/** How many of a session's best stand for it. */
const SESSION_DEPTH = 3
/** The neighbours that lie nearest. */
const NEAREST = [-2, -1, 1, 2]

/** What is worked out once for a cue, before its candidates are described one by one. */
interface Prepared {
  readonly sight: Sight
  readonly plain: Scale
  readonly own: Scale
  readonly words: Scale
  readonly text: Scale
  readonly order: Scale
  readonly latent: Scale
  readonly meaning: Scale
  /** The same, with the cue weighed by the codebook alone: what is common in this memory may still be what is meant. */
  readonly meaningFixed: Scale
  readonly meaningWindow: Scale
  readonly meaningFeedback: Scale
  readonly sentence: Scale
  readonly feedback: Scale
  readonly window: Scale
  readonly session: Float64Array
  readonly termIdf: readonly number[]
  readonly rarestIdf: number
  readonly knownIdf: number
  readonly allIdf: number
  readonly ownMost: number
  readonly newness: Float64Array
  /** The greatest share of the cue's idf that a candidate has. */
  readonly bestCovered: number
  readonly asked: ReturnType<typeof askedBy>
}

type Feature = (prepared: Prepared, i: number) => number

const slotOf = ({ sight }: Prepared, i: number) => sight.slots[i]
const rowOf = ({ sight }: Prepared, i: number) => sight.rows[i]
/** The row of a session neighbour, −1 if there is none; so many before (negative) or after. */
const neighbour = ({ sight }: Prepared, i: number, offset: number) =>
  offset < 0 ? sight.before[i * REACH - offset - 1] : sight.after[i * REACH + offset - 1]
/** The slot of a session neighbour, or −1. */
const neighbourSlot = (prepared: Prepared, i: number, offset: number) => {
  const row = neighbour(prepared, i, offset)
  return row < 0 ? -1 : prepared.sight.evidence.slots[row]
}
const ownAt = ({ sight, ownMost }: Prepared, row: number) => (row < 0 ? 0 : sight.own[row] / (ownMost || 1))
const termsAt = ({ sight }: Prepared, row: number) => (row < 0 ? 0 : sight.evidence.terms[row])
const latentAt = ({ sight, latent }: Prepared, row: number) => (row < 0 ? 0 : share(sight.evidence.latent[row], latent.most))
const sentenceAt = ({ sight, sentence }: Prepared, row: number) => (row < 0 ? 0 : share(sight.evidence.sentence[row], sentence.most))
const hasTrait = ({ sight }: Prepared, slot: number, trait: number) => Number(slot >= 0 && sight.indexes.traits.has(slot, trait))

function idfOfBits(termIdf: readonly number[], bits: number): number {
  let sum = 0
  for (let bit = 0; bit < termIdf.length && bit < 32; bit++) if ((bits >>> bit) & 1) sum += termIdf[bit]
  return sum
}
function bitCount(bits: number): number {
  let count = 0
  for (; bits !== 0; bits &= bits - 1) count++
  return count
}

/** The greatest idf of the terms. */
function rarestOf(termIdf: readonly number[], bits: number): number {
  let most = 0
  for (let bit = 0; bit < termIdf.length && bit < 32; bit++) if ((bits >>> bit) & 1) most = Math.max(most, termIdf[bit])
  return most
}

/** 1: the one who speaks is named in the cue; −1: another is; 0: none is. */
function speakerNamed({ sight }: Prepared, slot: number): number {
  const { cue, indexes } = sight
  if (cue.speakers.size === 0 || slot < 0) return 0
  const speaker = indexes.catalog.speaker(slot)
  return speaker !== undefined && cue.speakers.has(speaker) ? 1 : -1
}

/** Whether the memory has the kind of thing that the cue asks for. */
function fits(prepared: Prepared, slot: number): number {
  const has = (trait: number) => hasTrait(prepared, slot, trait)
  switch (prepared.asked) {
    case 'time': return has(TRAIT.time) * 2 - 1
    case 'duration': return (has(TRAIT.time) + has(TRAIT.number)) - 1
    case 'number': return has(TRAIT.number) * 2 - 1
    case 'person': case 'place': return has(TRAIT.name) * 2 - 1
    case 'reason': return has(TRAIT.reason) * 2 - 1
    default: return 0
  }
}

/**
 * What the ranker sees of a candidate, all relative to the cue and its other candidates so that it carries over to
 * other sizes and styles. The part of a name before the dot is the signal under which its contribution is shown.
 */
const DESCRIBED: Readonly<Record<string, Feature>> = {
  'fusion.z': (p, i) => p.plain.z[i],
  'fusion.share': (p, i) => p.plain.share[i],
  'fusion.rank': (p, i) => p.plain.rank[i],
  'fusion.own.z': (p, i) => p.own.z[i],
  'fusion.own.share': (p, i) => p.own.share[i],
  'fusion.own.rank': (p, i) => p.own.rank[i],
  'words.z': (p, i) => p.words.z[i],
  'words.share': (p, i) => p.words.share[i],
  'words.rank': (p, i) => p.words.rank[i],
  'words.covered': (p, i) => share(idfOfBits(p.termIdf, p.sight.evidence.terms[rowOf(p, i)]), p.allIdf),
  'words.coveredOfKnown': (p, i) => share(idfOfBits(p.termIdf, p.sight.evidence.terms[rowOf(p, i)]), p.knownIdf),
  'words.count': (p, i) => bitCount(p.sight.evidence.terms[rowOf(p, i)]),
  'words.rarest': (p, i) => share(rarestOf(p.termIdf, p.sight.evidence.terms[rowOf(p, i)]), p.rarestIdf),
  'text.z': (p, i) => p.text.z[i],
  'text.share': (p, i) => p.text.share[i],
  'text.rank': (p, i) => p.text.rank[i],
  'text.level': (p, i) => share(p.text.values[i], 40),
  'order.z': (p, i) => p.order.z[i],
  'order.share': (p, i) => p.order.share[i],
  'meaning.bits': (p, i) => p.latent.z[i],
  'meaning.z': (p, i) => p.meaning.z[i],
  'meaning.cosine': (p, i) => p.meaning.values[i],
  'meaning.share': (p, i) => p.meaning.share[i],
  'meaning.rank': (p, i) => p.meaning.rank[i],
  'meaning.feedback': (p, i) => p.meaningFeedback.z[i],
  'meaning.fixed.z': (p, i) => p.meaningFixed.z[i],
  'meaning.fixed.share': (p, i) => p.meaningFixed.share[i],
  'meaning.fixed.rank': (p, i) => p.meaningFixed.rank[i],
  'meaning.window.z': (p, i) => p.meaningWindow.z[i],
  'meaning.window.rank': (p, i) => p.meaningWindow.rank[i],
  'meaning.before': (p, i) => latentAt(p, neighbour(p, i, -1)),
  'meaning.after': (p, i) => latentAt(p, neighbour(p, i, 1)),
  'sentence.z': (p, i) => p.sentence.z[i],
  'sentence.share': (p, i) => p.sentence.share[i],
  'sentence.rank': (p, i) => p.sentence.rank[i],
  'sentence.level': (p, i) => p.sentence.values[i] / 10,
  'sentence.before': (p, i) => sentenceAt(p, neighbour(p, i, -1)),
  'sentence.after': (p, i) => sentenceAt(p, neighbour(p, i, 1)),
  'before.own': (p, i) => ownAt(p, neighbour(p, i, -1)),
  'before.own2': (p, i) => ownAt(p, neighbour(p, i, -2)),
  'before.question': (p, i) => hasTrait(p, neighbourSlot(p, i, -1), TRAIT.question),
  'before.speaker': (p, i) => speakerNamed(p, neighbourSlot(p, i, -1)),
  'before.covered': (p, i) => share(idfOfBits(p.termIdf, termsAt(p, neighbour(p, i, -1)) | termsAt(p, rowOf(p, i))), p.allIdf),
  'after.own': (p, i) => ownAt(p, neighbour(p, i, 1)),
  'after.own2': (p, i) => ownAt(p, neighbour(p, i, 2)),
  'after.question': (p, i) => hasTrait(p, neighbourSlot(p, i, 1), TRAIT.question),
  'after.covered': (p, i) => share(idfOfBits(p.termIdf, termsAt(p, neighbour(p, i, 1)) | termsAt(p, rowOf(p, i))), p.allIdf),
  'near.best': (p, i) => NEAREST.reduce((most, offset) => Math.max(most, ownAt(p, neighbour(p, i, offset))), 0),
  'near.covered': (p, i) => {
    let bits = termsAt(p, rowOf(p, i))
    for (const offset of NEAREST) bits |= termsAt(p, neighbour(p, i, offset))
    return share(idfOfBits(p.termIdf, bits), p.allIdf)
  },
  'near.window': (p, i) => p.window.z[i],
  'near.windowRank': (p, i) => p.window.rank[i],
  'session.z': (p, i) => p.session[i],
  'feedback.z': (p, i) => p.feedback.z[i],
  'feedback.rank': (p, i) => p.feedback.rank[i],
  'speaker.named': (p, i) => speakerNamed(p, slotOf(p, i)),
  'length.log': (p, i) => log(1 + p.sight.indexes.traits.words(slotOf(p, i))),
  'length.before': (p, i) => log(1 + p.sight.indexes.traits.words(neighbourSlot(p, i, -1))),
  'kind.question': (p, i) => hasTrait(p, slotOf(p, i), TRAIT.question),
  'kind.fits': (p, i) => fits(p, slotOf(p, i)),
  'kind.fitsAfter': (p, i) => fits(p, neighbourSlot(p, i, 1)),
  'kind.number': (p, i) => hasTrait(p, slotOf(p, i), TRAIT.number),
  'kind.time': (p, i) => hasTrait(p, slotOf(p, i), TRAIT.time),
  'kind.first': (p, i) => hasTrait(p, slotOf(p, i), TRAIT.first),
  'kind.second': (p, i) => hasTrait(p, slotOf(p, i), TRAIT.second),
  'kind.name': (p, i) => hasTrait(p, slotOf(p, i), TRAIT.name),
  'kind.reason': (p, i) => hasTrait(p, slotOf(p, i), TRAIT.reason),
  'kind.negation': (p, i) => hasTrait(p, slotOf(p, i), TRAIT.negation),
  'kind.exclamation': (p, i) => hasTrait(p, slotOf(p, i), TRAIT.exclamation),
  'asked.time': (p) => Number(p.asked === 'time' || p.asked === 'duration'),
  'asked.number': (p) => Number(p.asked === 'number'),
  'asked.reason': (p) => Number(p.asked === 'reason' || p.asked === 'manner'),
  'asked.terms': (p) => p.sight.cue.terms.size,
  'asked.known': (p) => share(p.knownIdf, p.allIdf),
  'asked.best': (p) => p.bestCovered,
  'asked.speakers': (p) => p.sight.cue.speakers.size,
  'newness.rank': (p, i) => p.newness[i],
}

/** The names of the features, in the order of the columns. */
export const FEATURES: readonly string[] = Object.keys(DESCRIBED)
const COLUMNS = Object.values(DESCRIBED)

/**
 * Describes the candidates of a cue.
 *
 * @param plain their plain fusion.
 */
export function describe(sight: Sight, plain: Float64Array): FeatureTable {
  const prepared = prepare(sight, plain)
  const rows = sight.slots.length
  const values = new Float64Array(rows * COLUMNS.length)
  for (let i = 0, at = 0; i < rows; i++) for (const column of COLUMNS) values[at++] = column(prepared, i)
  return { rows, values }
}

function prepare(sight: Sight, plain: Float64Array): Prepared {
  const { indexes, cue, rows, evidence, own } = sight
  const of = (values: Float64Array) => scaled(picked(values, rows))
  const ownScale = of(own)
  const plainScale = scaled(plain)
  const best = strongest(plain, FEEDBACK_DEPTH)
  const { postings } = indexes
  const termIdf = [...cue.terms.keys()].map((term) => postings.idf(term))
  const known = [...cue.terms.keys()].map((term) => (postings.documentFrequency(term) > 0 ? postings.idf(term) : 0))
  const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0)
  const times = Float64Array.from(sight.slots, (slot) => indexes.catalog.validFrom(slot))
  const oldest = Math.min(...times)
  const newest = Math.max(...times)
  return {
    sight,
    plain: plainScale,
    own: ownScale,
    words: of(evidence.words),
    text: of(evidence.text),
    order: of(evidence.order),
    latent: of(evidence.latent),
    sentence: of(evidence.sentence),
    ...meanings(sight, best),
    feedback: scaled(feedback(sight, plainScale, best)),
    window: scaled(windows(sight, sight.own, 0)),
    meaningWindow: scaled(windows(sight, evidence.latent, 1)),
    session: sessions(sight),
    termIdf,
    rarestIdf: Math.max(...termIdf, 0),
    knownIdf: sum(known),
    allIdf: sum(termIdf),
    ownMost: Math.max(0, ...ownScale.values),
    newness: times.map((time) => (newest > oldest ? (time - oldest) / (newest - oldest) : 0)),
    asked: askedBy(cue.question),
    bestCovered: bestCovered(sight, termIdf),
  }
}

/**
 * Pseudo-relevance feedback: the idf of the words that a candidate shares with the best few, each counted by how many
 * of them have it and how well they stand; what the candidate itself lends is left out.
 */
function feedback({ indexes, slots }: Sight, plain: Scale, best: readonly number[]): Float64Array {
  const { postings } = indexes
  const weights = new Map<number, number>()
  for (const i of best) for (const term of postings.termsOf(slots[i])) weights.set(term, (weights.get(term) ?? 0) + plain.share[i])
  const lent = new Map(best.map((i) => [i, plain.share[i]]))
  return Float64Array.from(slots, (slot, i) => {
    let sum = 0
    const terms = postings.termsOf(slot)
    for (const term of terms) {
      const weight = (weights.get(term) ?? 0) - (lent.get(i) ?? 0)
      if (weight > 0) sum += weight * postings.idfOf(term)
    }
    return sum / Math.sqrt(4 + terms.length)
  })
}

function bestCovered({ rows, evidence }: Sight, termIdf: readonly number[]): number {
  const all = termIdf.reduce((a, b) => a + b, 0)
  let most = 0
  for (const row of rows) most = Math.max(most, idfOfBits(termIdf, evidence.terms[row]))
  return share(most, all)
}

/** Cosines of the latents of candidates with the cue's; and with the mean of the best few. */
function meanings({ indexes, cue, slots }: Sight, best: readonly number[]) {
  const nothing = new Float64Array(slots.length)
  const { latents } = indexes
  if (latents === undefined || cue.latent === undefined) {
    return { meaning: scaled(nothing), meaningFixed: scaled(nothing), meaningFeedback: scaled(nothing) }
  }
  const meant = latents.latents(slots)
  const cosines = (wanted: Float32Array) => scaled(Float64Array.from(meant, (latent) => (latent === undefined ? 0 : dot(latent, wanted))))
  const mean = new Float32Array(latents.codebook.dimension)
  for (const i of best) meant[i]?.forEach((value, d) => { mean[d] += value })
  const feedback = Float64Array.from(meant, (latent, i) => (latent === undefined ? 0 : dot(latent, mean) - (best.includes(i) ? 1 : 0)))
  return {
    meaning: cosines(cue.latent.latent),
    meaningFixed: cosines(cue.latent.fixed),
    meaningFeedback: scaled(feedback),
  }
}

/** Evidence around a candidate, the nearer the more, and its own times a factor. */
function windows({ rows, before, after }: Sight, column: Float64Array, self: number): Float64Array {
  return Float64Array.from(rows, (row, i) => {
    let sum = self * column[row]
    for (const side of [before, after]) {
      for (let step = 0; step < REACH && side[i * REACH + step] >= 0; step++) sum += column[side[i * REACH + step]] / (step + 1)
    }
    return sum
  })
}

/** How the best of a candidate's session stand among the sessions, as a z-score. */
function sessions({ indexes, slots, evidence, own }: Sight): Float64Array {
  /** The best of each, descending. */
  const found = new Map<number, number[]>()
  for (let row = 0; row < evidence.slots.length; row++) {
    const session = indexes.catalog.session(evidence.slots[row])
    if (session < 0) continue
    let best = found.get(session)
    if (best === undefined) found.set(session, (best = []))
    let at = best.length
    while (at > 0 && best[at - 1] < own[row]) at--
    if (at === SESSION_DEPTH) continue
    best.splice(at, 0, own[row])
    if (best.length > SESSION_DEPTH) best.pop()
  }
  const numbers = [...found.keys()]
  const sums = scaled(Float64Array.from(numbers, (session) => found.get(session)!.reduce((a, b) => a + b, 0)))
  const z = new Map(numbers.map((session, at) => [session, sums.z[at]]))
  return Float64Array.from(slots, (slot) => z.get(indexes.catalog.session(slot)) ?? 0)
}

