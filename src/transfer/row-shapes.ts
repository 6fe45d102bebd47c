import { checkList } from '../api/check.js'
import { FIELD_LIMITS, type ListLimit, type TextLimit } from '../api/field-limits.js'
import type { LearningKind } from '../api/learning.js'
import {
  boolean,
  either,
  list,
  maybe,
  number,
  object,
  oneOf,
  pair,
  type Shape,
  share,
  string,
  text,
  time,
  whole,
} from './shapes.js'

const { episode, frame, goal, belief, procedure, atom, recall, selfVector } = FIELD_LIMITS

const name = text('nameBytes')
const texts = (limit: ListLimit & { readonly each: TextLimit }): Shape => list(string(limit.each), limit)
const names = (limit: ListLimit): Shape => list(name, limit)

const triple = object({ subject: name, predicate: name, object: name })
const provenance = object({ writer: name, source: maybe(name), session: maybe(name), episodes: names(belief.evidence) })
const revision = object({
  revision: whole,
  at: time,
  kind: oneOf('asserted', 'revised', 'withdrawn', 'flagged'),
  before: maybe(share),
  after: share,
  evidence: maybe(name),
  verdict: maybe(oneOf('supports', 'contradicts', 'neutral')),
  reason: string(belief.reason),
  trust: maybe(share),
  automatic: maybe(oneOf(true)),
})
const state = either(
  object({ kind: oneOf('active') }),
  object({ kind: oneOf('paused'), since: time, reason: maybe(string(goal.reason)) }),
  object({ kind: oneOf('completed'), at: time, evidence: names(goal.evidence) }),
  object({ kind: oneOf('abandoned'), at: time, reason: string(goal.reason) }),
)
const completion = oneOf('all', 'any')

/** The id of a row, of any kind. */
export const ROW_ID: Shape = text(episode.id)

/** The row of an episode. */
export const EPISODE_ROW: Shape = object({
  id: text(episode.id),
  text: text(episode.text),
  speaker: maybe(text(episode.speaker)),
  session: maybe(text(episode.session)),
  source: maybe(text(episode.source)),
  at: time,
  validTo: maybe(time),
  recordedAt: time,
  writer: text(episode.writer),
  triples: maybe(list(triple, episode.triples)),
  superseded: maybe(object({ by: text(episode.id), at: time, recordedAt: time })),
})

/** The numbers of a latent. */
const latent: Shape = (value, { what, limits }) => {
  if (!(value instanceof Float32Array)) return false
  checkList(what, Array.from(value), limits, frame.latent)
  return value.every(Number.isFinite)
}

/** Parts are worked out when a frame is shown: no row has any. */
const none: Shape = (value) => Array.isArray(value) && value.length === 0

/** A sensory frame. */
export const SENSORY_ROW: Shape = object({
  id: text(frame.id),
  modality: oneOf('text', 'image', 'audio', 'video'),
  text: maybe(text(frame.text)),
  encoder: maybe(text(frame.encoder)),
  speaker: maybe(text(frame.speaker)),
  session: maybe(text(frame.session)),
  source: maybe(text(frame.source)),
  at: time,
  receivedAt: time,
  surprise: share,
  goalRelevance: share,
  promotedTo: maybe(name),
  promotedFor: maybe(oneOf('surprise', 'goal', 'observed')),
  number: whole,
  latent: maybe(latent),
  differsFrom: maybe(object({ episode: maybe(name), belief: maybe(name), parts: none })),
})

/** An event with what all events have. */
function event(members: Readonly<Record<string, Shape>>): Shape {
  return object({ id: name, kind: string('nameBytes'), at: time, ...members })
}

/** The learning events by their kinds. */
export const EVENTS: Readonly<Record<LearningKind, Shape>> = {
  episodeStored: () => false, // never stored: it is read from the episode
  episodeSuperseded: () => false, // never stored: it is read from the superseded episode
  sensoryFramePromoted: event({
    frame: name,
    modality: name,
    episode: name,
    surprise: share,
    reason: oneOf('surprise', 'goal', 'observed'),
    differsFrom: maybe(name),
  }),
  semanticAtomFormed: event({
    atom: name,
    statement: string(atom.statement),
    triple: maybe(triple),
    episodes: names(atom.episodes),
    upTo: whole,
  }),
  semanticAtomRevised: event({ atom: name, episodes: names(atom.episodes), upTo: whole }),
  contradictionDetected: event({
    atoms: pair(name),
    subject: string('nameBytes'),
    predicate: string('nameBytes'),
    objects: pair(string('nameBytes')),
  }),
  consolidationRun: event({
    episodes: whole,
    through: maybe(name),
    upTo: whole,
    atomsFormed: whole,
    atomsRevised: whole,
    contradictions: whole,
  }),
  procedureLearned: event({
    procedure: name,
    name: text(procedure.name),
    trigger: text(procedure.trigger),
    steps: texts(procedure.steps),
    preconditions: texts(procedure.preconditions),
    provenance,
  }),
  procedureRevised: event({
    procedure: name,
    changes: object({
      name: maybe(text(procedure.name)),
      trigger: maybe(text(procedure.trigger)),
      steps: maybe(texts(procedure.steps)),
      preconditions: maybe(texts(procedure.preconditions)),
    }),
    evidence: names(procedure.evidence),
    reason: maybe(string(procedure.reason)),
  }),
  procedureRetired: event({ procedure: name, reason: string(procedure.reason) }),
  procedureExecuted: event({
    procedure: name,
    execution: object({
      id: name,
      success: boolean,
      trace: texts(procedure.trace),
      note: maybe(string(procedure.note)),
      at: time,
      recordedAt: time,
    }),
  }),
  goalSet: event({
    goal: name,
    description: text(goal.description),
    parent: maybe(name),
    successCriteria: texts(goal.successCriteria),
    deadline: maybe(time),
    completion,
    provenance,
  }),
  goalRevised: event({
    goal: name,
    changes: object({
      description: maybe(text(goal.description)),
      parent: maybe(either(name, oneOf(null))),
      successCriteria: maybe(texts(goal.successCriteria)),
      deadline: maybe(either(time, oneOf(null))),
      completion: maybe(completion),
    }),
  }),
  goalStateChanged: event({
    goal: name,
    from: state,
    to: state,
    by: maybe(name),
    with: maybe(name),
    children: maybe(
      object({
        became: oneOf('kept', 'abandoned', 'completed'),
        count: whole,
        goals: names(goal.children),
      }),
    ),
  }),
  beliefAsserted: event({
    belief: name,
    claim: text(belief.claim),
    subject: maybe(text(belief.subject)),
    predicate: maybe(text(belief.predicate)),
    object: maybe(text(belief.object)),
    confidence: share,
    evidence: names(belief.evidence),
    trust: maybe(list(share, belief.evidence)),
    superseded: maybe(names(belief.evidence)),
    validFrom: time,
    validTo: maybe(time),
    provenance,
  }),
  beliefRevised: event({ belief: name, revision, superseded: maybe(names(belief.evidence)) }),
  beliefWithdrawn: event({ belief: name, revision }),
  attentionTraced: event({ recall: name, cue: text(recall.cue), considered: whole, episodes: names(recall.episodes) }),
  selfVectorUpdated: event({ epoch: number, drift: number, atoms: names(selfVector.atoms) }),
}
