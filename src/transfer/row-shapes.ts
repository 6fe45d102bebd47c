import type { LearningKind } from '../core/learning.js'
import { boolean, either, list, maybe, number, object, oneOf, pair, type Shape, share, string, text, time, whole } from './shapes.js'

/** More of anything than a row of agidb lists. */
const MOST = 100_000

const ids = list(text, MOST)
const texts = list(string, MOST)
const triple = object({ subject: text, predicate: text, object: text })
const provenance = object({ writer: text, source: maybe(text), session: maybe(text), episodes: ids })
const revision = object({
  revision: whole, at: time, kind: oneOf('asserted', 'revised', 'withdrawn'), before: maybe(share), after: share,
  evidence: maybe(text), verdict: maybe(oneOf('supports', 'contradicts', 'neutral')), reason: string,
})
const state = either(
  object({ kind: oneOf('active') }),
  object({ kind: oneOf('paused'), since: time, reason: maybe(string) }),
  object({ kind: oneOf('completed'), at: time, evidence: ids }),
  object({ kind: oneOf('abandoned'), at: time, reason: string }),
)
const completion = oneOf('all', 'any')

/** The row of an episode. */
export const EPISODE_ROW: Shape = object({
  id: text, text, speaker: maybe(text), session: maybe(text), source: maybe(text), at: time, validTo: maybe(time), recordedAt: time,
  writer: text,
  triples: maybe(list(triple, MOST)), superseded: maybe(object({ by: text, at: time, recordedAt: time })),
})

/** The JSON of a sensory frame. */
export const SENSORY_ROW: Shape = object({
  id: text, modality: oneOf('text', 'image', 'audio', 'video'), text: maybe(text), encoder: maybe(text), speaker: maybe(text), session: maybe(text),
  source: maybe(text), at: time, receivedAt: time, surprise: share, goalRelevance: share, promotedTo: maybe(text),
  promotedFor: maybe(oneOf('surprise', 'goal', 'observed')), number: whole,
})

/** What each kind of learning event has beside `id`, `kind` and `at`. */
export const EVENTS: Readonly<Record<LearningKind, Shape>> = {
  episodeStored: () => false, // never stored: it is read from the episode
  sensoryFramePromoted: object({ frame: text, modality: text, episode: text, surprise: share, reason: oneOf('surprise', 'goal', 'observed') }),
  semanticAtomFormed: object({ atom: text, statement: string, triple: maybe(triple), episodes: ids, upTo: whole }),
  semanticAtomRevised: object({ atom: text, episodes: ids, upTo: whole }),
  contradictionDetected: object({ atoms: pair(text), subject: string, predicate: string, objects: pair(string) }),
  consolidationRun: object({ episodes: whole, through: maybe(text), upTo: whole, atomsFormed: whole, atomsRevised: whole, contradictions: whole }),
  procedureLearned: object({ procedure: text, name: text, trigger: text, steps: texts, preconditions: texts, provenance }),
  procedureExecuted: object({
    procedure: text,
    execution: object({ id: text, success: boolean, trace: texts, note: maybe(string), at: time, recordedAt: time }),
  }),
  goalSet: object({ goal: text, description: text, parent: maybe(text), successCriteria: texts, deadline: maybe(time), completion, provenance }),
  goalRevised: object({
    goal: text,
    changes: object({
      description: maybe(text), parent: maybe(either(text, oneOf(null))), successCriteria: maybe(texts), deadline: maybe(either(time, oneOf(null))), completion: maybe(completion),
    }),
  }),
  goalStateChanged: object({ goal: text, from: state, to: state, by: maybe(text) }),
  beliefAsserted: object({
    belief: text, claim: text, subject: maybe(text), predicate: maybe(text), object: maybe(text), confidence: share, evidence: ids, validFrom: time,
    validTo: maybe(time), provenance,
  }),
  beliefRevised: object({ belief: text, revision }),
  beliefWithdrawn: object({ belief: text, revision }),
  attentionTraced: object({ recall: text, cue: text, considered: whole, episodes: ids }),
  selfVectorUpdated: object({ epoch: number, drift: number, atoms: ids }),
}

/** What every learning event has. */
export const EVENT: Shape = object({ id: text, kind: oneOf(...Object.keys(EVENTS)), at: time })
