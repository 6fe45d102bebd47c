import { TRAIT } from '../../encoding/traits.js'
import { idfOf, neighbour, neighbourSlot, prepare, type Prepared } from './prepared.js'
import { logOfNext } from '../evidence/scale.js'
import { share, type CandidateSet } from '../evidence/candidate-set.js'

/** Numbers for each candidate, row by row; the columns are {@link FEATURES}. */
export interface FeatureTable {
  readonly rows: number
  readonly values: Float64Array
}

/** The neighbours that lie nearest. */
const NEAREST = [-2, -1, 1, 2]
const BEFORE = [-1]
const AFTER = [1]

/** A number for each candidate. */
type Feature = (prepared: Prepared) => Float64Array

/** A number for each candidate by itself. */
function each(number: (prepared: Prepared, i: number) => number): Feature {
  return (prepared) => {
    const numbers = new Float64Array(prepared.candidates.slots.length)
    for (let i = 0; i < numbers.length; i++) numbers[i] = number(prepared, i)
    return numbers
  }
}

/** One number for all candidates. */
function all(number: (prepared: Prepared) => number): Feature {
  return (prepared) => new Float64Array(prepared.candidates.slots.length).fill(number(prepared))
}

/** 1 for each that has a trait, 0 for others. */
function having(traits: (prepared: Prepared) => Uint16Array, trait: number): Feature {
  return (prepared) => {
    const numbers = new Float64Array(prepared.candidates.slots.length)
    const bits = traits(prepared)
    for (let i = 0; i < numbers.length; i++) numbers[i] = Number((bits[i] & trait) !== 0)
    return numbers
  }
}

const own = ({ traits }: Prepared) => traits
const before = ({ traitsBefore }: Prepared) => traitsBefore
const after = ({ traitsAfter }: Prepared) => traitsAfter
const ownAt = ({ candidates, ownMost }: Prepared, row: number) => (row < 0 ? 0 : candidates.own[row] / (ownMost || 1))
const termsAt = ({ candidates }: Prepared, row: number) => (row < 0 ? 0 : candidates.evidence.terms[row])
const latentAt = ({ candidates, latent }: Prepared, row: number) =>
  row < 0 ? 0 : share(candidates.evidence.deviations.meaning[row], latent.most)
const sentenceAt = ({ candidates, sentence }: Prepared, row: number) =>
  row < 0 ? 0 : share(candidates.evidence.deviations.sentence[row], sentence.most)
/** The share of the cue's idf that a candidate and its neighbours have together. */
const covered = (p: Prepared, i: number, offsets: readonly number[]) => {
  let bits = termsAt(p, p.candidates.rows[i])
  for (const offset of offsets) bits |= termsAt(p, neighbour(p.candidates, i, offset))
  return share(idfOf(p.termIdf, bits), p.allIdf)
}

function bitCount(bits: number): number {
  let count = 0
  for (; bits !== 0; bits &= bits - 1) count++
  return count
}

/** The greatest idf of the terms. */
function rarestOf(termIdf: readonly number[], bits: number): number {
  let most = 0
  for (let left = bits | 0; left !== 0; left &= left - 1) most = Math.max(most, termIdf[31 - Math.clz32(left & -left)])
  return most
}

/** 1: the one who speaks is named in the cue; −1: another is; 0: none is. */
function speakerNamed({ candidates }: Prepared, slot: number): number {
  const { cue, indexes } = candidates
  if (cue.speakers.size === 0 || slot < 0) return 0
  const speaker = indexes.catalog.speaker(slot)
  return speaker !== undefined && cue.speakers.has(speaker) ? 1 : -1
}

/** Whether a text of these traits is the kind of thing that the cue asks for. */
function fits({ asked }: Prepared, bits: number): number {
  const has = (trait: number) => Number((bits & trait) !== 0)
  switch (asked) {
    case 'time':
      return has(TRAIT.time) * 2 - 1
    case 'duration':
      return has(TRAIT.time) + has(TRAIT.number) - 1
    case 'number':
      return has(TRAIT.number) * 2 - 1
    case 'person':
    case 'place':
      return has(TRAIT.name) * 2 - 1
    case 'reason':
      return has(TRAIT.reason) * 2 - 1
    default:
      return 0
  }
}

/**
 * What the ranker sees of a candidate, all relative to the cue and its other candidates so that it carries over to
 * other sizes and styles. The part of a name before the dot is the signal under which its contribution is shown.
 */
const DESCRIBED: Readonly<Record<string, Feature>> = {
  'fusion.z': ({ plain }) => plain.z,
  'fusion.share': ({ plain }) => plain.share,
  'fusion.rank': ({ plain }) => plain.rank,
  'fusion.own.z': ({ own }) => own.z,
  'fusion.own.share': ({ own }) => own.share,
  'fusion.own.rank': ({ own }) => own.rank,
  'words.z': ({ words }) => words.z,
  'words.share': ({ words }) => words.share,
  'words.rank': ({ words }) => words.rank,
  'words.covered': each((p, i) => share(p.covered[i], p.allIdf)),
  'words.coveredOfKnown': each((p, i) => share(p.covered[i], p.knownIdf)),
  'words.count': each((p, i) => bitCount(p.candidates.evidence.terms[p.candidates.rows[i]])),
  'words.rarest': each((p, i) =>
    share(rarestOf(p.termIdf, p.candidates.evidence.terms[p.candidates.rows[i]]), p.rarestIdf),
  ),
  'text.z': ({ text }) => text.z,
  'text.share': ({ text }) => text.share,
  'text.rank': ({ text }) => text.rank,
  'text.level': each((p, i) => share(p.text.values[i], 40)),
  'order.z': ({ order }) => order.z,
  'order.share': ({ order }) => order.share,
  'meaning.bits': ({ latent }) => latent.z,
  'meaning.z': ({ meaning }) => meaning.z,
  'meaning.cosine': ({ meaning }) => meaning.values,
  'meaning.share': ({ meaning }) => meaning.share,
  'meaning.rank': ({ meaning }) => meaning.rank,
  'meaning.feedback': ({ meaningFeedback }) => meaningFeedback.z,
  'meaning.fixed.z': ({ meaningFixed }) => meaningFixed.z,
  'meaning.fixed.share': ({ meaningFixed }) => meaningFixed.share,
  'meaning.fixed.rank': ({ meaningFixed }) => meaningFixed.rank,
  'meaning.window.z': ({ meaningWindow }) => meaningWindow.z,
  'meaning.window.rank': ({ meaningWindow }) => meaningWindow.rank,
  'meaning.before': each((p, i) => latentAt(p, neighbour(p.candidates, i, -1))),
  'meaning.after': each((p, i) => latentAt(p, neighbour(p.candidates, i, 1))),
  'meaning.pieces.z': ({ pieces }) => pieces.own.z,
  'meaning.pieces.rank': ({ pieces }) => pieces.own.rank,
  'meaning.pieces.covered': each(({ pieces }, i) => share(pieces.own.values[i], pieces.idf)),
  'meaning.pieces.missing': ({ pieces }) => pieces.missing,
  'meaning.pieces.rarest': ({ pieces }) => pieces.rarest,
  'sentence.z': ({ sentence }) => sentence.z,
  'sentence.share': ({ sentence }) => sentence.share,
  'sentence.rank': ({ sentence }) => sentence.rank,
  'sentence.level': each((p, i) => p.sentence.values[i] / 10),
  'sentence.before': each((p, i) => sentenceAt(p, neighbour(p.candidates, i, -1))),
  'sentence.after': each((p, i) => sentenceAt(p, neighbour(p.candidates, i, 1))),
  'before.own': each((p, i) => ownAt(p, neighbour(p.candidates, i, -1))),
  'before.own2': each((p, i) => ownAt(p, neighbour(p.candidates, i, -2))),
  'before.pieces': ({ pieces }) => pieces.before,
  'before.question': having(before, TRAIT.question),
  'before.speaker': each((p, i) => speakerNamed(p, neighbourSlot(p.candidates, i, -1))),
  'before.covered': each((p, i) => covered(p, i, BEFORE)),
  'after.own': each((p, i) => ownAt(p, neighbour(p.candidates, i, 1))),
  'after.own2': each((p, i) => ownAt(p, neighbour(p.candidates, i, 2))),
  'after.pieces': ({ pieces }) => pieces.after,
  'after.question': having(after, TRAIT.question),
  'after.covered': each((p, i) => covered(p, i, AFTER)),
  'near.best': each((p, i) => {
    let most = 0
    for (const offset of NEAREST) most = Math.max(most, ownAt(p, neighbour(p.candidates, i, offset)))
    return most
  }),
  'near.covered': each((p, i) => covered(p, i, NEAREST)),
  'near.pieces.z': ({ pieces }) => pieces.near.z,
  'near.pieces.covered': each(({ pieces }, i) => share(pieces.near.values[i], pieces.idf)),
  'near.window': ({ window }) => window.z,
  'near.windowRank': ({ window }) => window.rank,
  'session.z': ({ session }) => session,
  'feedback.z': ({ feedback }) => feedback.z,
  'feedback.rank': ({ feedback }) => feedback.rank,
  'speaker.named': each((p, i) => speakerNamed(p, p.candidates.slots[i])),
  'length.log': each((p, i) => logOfNext(p.candidates.indexes.traits.words(p.candidates.slots[i]))),
  'length.before': each((p, i) => logOfNext(p.candidates.indexes.traits.words(neighbourSlot(p.candidates, i, -1)))),
  'length.content': ({ content }) => content,
  'length.idf': ({ contentIdf }) => contentIdf,
  'kind.question': having(own, TRAIT.question),
  'kind.fits': each((p, i) => fits(p, p.traits[i])),
  'kind.fitsAfter': each((p, i) => fits(p, p.traitsAfter[i])),
  'kind.number': having(own, TRAIT.number),
  'kind.time': having(own, TRAIT.time),
  'kind.first': having(own, TRAIT.first),
  'kind.second': having(own, TRAIT.second),
  'kind.name': having(own, TRAIT.name),
  'kind.reason': having(own, TRAIT.reason),
  'kind.negation': having(own, TRAIT.negation),
  'kind.exclamation': having(own, TRAIT.exclamation),
  'asked.time': all((p) => Number(p.asked === 'time' || p.asked === 'duration')),
  'asked.number': all((p) => Number(p.asked === 'number')),
  'asked.reason': all((p) => Number(p.asked === 'reason' || p.asked === 'manner')),
  'asked.terms': all((p) => p.candidates.cue.terms.size),
  'asked.known': all((p) => share(p.knownIdf, p.allIdf)),
  'asked.best': all((p) => p.bestCovered),
  'asked.speakers': all((p) => p.candidates.cue.speakers.size),
  'newness.rank': ({ newness }) => newness,
}

/** The names of the features, in the order of the columns. */
export const FEATURES: readonly string[] = Object.keys(DESCRIBED)
const COLUMNS = Object.values(DESCRIBED)

/**
 * Describes the candidates of a cue.
 *
 * @param plain their plain fusion.
 */
export function describe(candidates: CandidateSet, plain: Float64Array): FeatureTable {
  const prepared = prepare(candidates, plain)
  const rows = candidates.slots.length
  const width = COLUMNS.length
  const values = new Float64Array(rows * width)
  const columns = COLUMNS.map((column) => column(prepared))
  for (let i = 0, at = 0; i < rows; i++)
    for (let column = 0; column < width; column++) values[at++] = columns[column][i]
  return { rows, values }
}
