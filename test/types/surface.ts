// What the public types promise and refuse. Compiled by check:types, never run.
import { expectTypeOf } from 'vitest'
import {
  Agidb,
  AgidbError,
  type Belief,
  type Conflict,
  type Episode,
  type EpisodeVersion,
  type ErrorCode,
  type Goal,
  type GoalTree,
  type LearningEvent,
  type Match,
  type FramePart,
  type ObservedFrame,
  type Recall,
  type RecallWithPrompt,
  type Salvaged,
  type SensoryFrame,
  type RevisionReport,
  type Stats,
  type Tier,
} from '../../src/runtimes/node/index.js'
import { Agidb as AnyAgidb } from '../../src/index.js'
import { Agidb as EdgeAgidb } from '../../src/runtimes/edge/index.js'

const db = await Agidb.open({ path: './memory.agidb', writer: 'me', seed: 1, clock: () => 0, limits: { triples: 5 } })
expectTypeOf(db).toEqualTypeOf<Agidb>()
expectTypeOf(Agidb.open({ storage: 'memory' })).resolves.toEqualTypeOf<Agidb>()
expectTypeOf(EdgeAgidb.open({ storage: 'memory' })).resolves.toEqualTypeOf<Agidb>()

expectTypeOf(
  db.observe('x', { at: new Date(), triples: [{ subject: 'a', predicate: 'b', object: 'c' }] }),
).resolves.toEqualTypeOf<string>()
expectTypeOf(db.observe('x', { goal: 'go_1', beliefs: ['be_1'] })).resolves.toEqualTypeOf<string>()
expectTypeOf(
  db.observeMany([{ text: 'x', at: '2026-05-01' }], { onProgress: ({ done, total }) => [done, total] }),
).resolves.toEqualTypeOf<string[]>()
expectTypeOf(db.getEpisode('x')).resolves.toEqualTypeOf<Episode | undefined>()
expectTypeOf(db.episodes({ after: 'x', limit: 5 })).toEqualTypeOf<AsyncIterable<Episode[]>>()
expectTypeOf(db.update('x', { text: 'y', speaker: null }, { keep: false })).resolves.toEqualTypeOf<Episode>()
expectTypeOf(db.history('x')).resolves.toEqualTypeOf<EpisodeVersion[]>()
expectTypeOf(db.conflicts({ about: 'x', at: 5 })).resolves.toEqualTypeOf<Conflict[]>()
expectTypeOf(db.supersede('a', 'b', 5)).resolves.toBeVoid()
expectTypeOf(
  db.recall('x', { structured: { subject: 'a' }, weights: { structured: 0.7, fuzzy: 0.3 } }),
).resolves.toEqualTypeOf<Recall>()
expectTypeOf(db.subscribe(({ kind, ids, own }) => [kind, ids, own])).toEqualTypeOf<() => void>()
expectTypeOf(db.stats()).resolves.toEqualTypeOf<Stats>()
expectTypeOf<Match['tier']>().toEqualTypeOf<Tier>()
expectTypeOf<Match['signals']['words']>().toEqualTypeOf<number | undefined>()
expectTypeOf(db.recall('x', { budgetTokens: 800 })).resolves.toEqualTypeOf<RecallWithPrompt>()
expectTypeOf(db[Symbol.asyncDispose]()).resolves.toBeVoid()
// @ts-expect-error: an unknown signal
expectTypeOf<Match['signals']['smell']>().toBeNever()
// @ts-expect-error: an internal of the engine
void db.forget
// @ts-expect-error: two places at once
void Agidb.open({ path: './memory.agidb', storage: 'memory' })
// @ts-expect-error: no place
void Agidb.open({})
// @ts-expect-error: a name and a path
void AnyAgidb.open({ name: 'my-agent', path: './memory.agidb' })
expectTypeOf(AnyAgidb.open({ name: 'my-agent' })).resolves.toEqualTypeOf<Agidb>()
expectTypeOf(AnyAgidb.salvage({ name: 'my-agent' })).resolves.toEqualTypeOf<Salvaged>()
expectTypeOf<Episode['at']>().toBeString()
expectTypeOf<AgidbError['code']>().toEqualTypeOf<ErrorCode>()

// @ts-expect-error: an unknown option
void db.recall('x', { limit: 5 })
// @ts-expect-error: an unknown tier
void db.recall('x', { tierFloor: 'best' })
// @ts-expect-error: half of the weights
void db.recall('x', { structured: {}, weights: { fuzzy: 1 } })
// @ts-expect-error: an item without text
void db.observeMany([{ speaker: 'Ann' }])
// @ts-expect-error: a triple without an object
void db.observe('x', { triples: [{ subject: 'a', predicate: 'b' }] })
// @ts-expect-error: an unknown storage
void Agidb.open({ storage: 'disk' })
// @ts-expect-error: the edge has no folders
void EdgeAgidb.open({ path: './memory.agidb' })
// @ts-expect-error: answers are not written to
;(await db.recall('x')).matches[0].confidence = 1

// The floors beside the episodes.
expectTypeOf(db.setGoal({ description: 'rest', parent: 'go_1', deadline: 5, completion: 'any' })).resolves.toBeString()
expectTypeOf(db.completeGoal('go_1', ['ep_1'])).resolves.toEqualTypeOf<Goal>()
expectTypeOf(db.goalTree('go_1')).resolves.toEqualTypeOf<GoalTree>()
expectTypeOf(db.assertBelief({ claim: 'tea is hot', confidence: 0.9 })).resolves.toBeString()
expectTypeOf(db.reviseBelief('be_1', 'ep_1')).resolves.toEqualTypeOf<RevisionReport>()
expectTypeOf(db.whatDoIBelieve('tea')).resolves.toExtend<Belief[]>()
expectTypeOf(
  db.observeSensory({ modality: 'image', latent: new Float32Array(4), encoder: 'clip' }),
).resolves.toEqualTypeOf<ObservedFrame>()
expectTypeOf(db.selfVector()).resolves.toExtend<Uint8Array>()
expectTypeOf(db.whatDidILearn(0, { kinds: ['goalSet'] })).resolves.toEqualTypeOf<LearningEvent[]>()
expectTypeOf<Extract<LearningEvent, { kind: 'episodeStored' }>['episode']>().toBeString()
// @ts-expect-error: a belief without a claim
void db.assertBelief({ confidence: 0.9 })
expectTypeOf(
  db.observeSensory({ modality: 'multimodal', text: 'a bell', latents: { audio: new Float32Array(4) }, keep: 'none' }),
).resolves.toEqualTypeOf<ObservedFrame>()
expectTypeOf<SensoryFrame['parts']>().toEqualTypeOf<readonly FramePart[] | undefined>()
expectTypeOf(db.observeSensory({ modality: 'touch', own: { touch: [1, 2] } })).resolves.toEqualTypeOf<ObservedFrame>()
expectTypeOf(
  db.observeSensory({ modality: 'touch', latent: new Float32Array(4), encoder: 'glove' }),
).resolves.toEqualTypeOf<ObservedFrame>()
expectTypeOf(db.observeMultimodal({ own: { touch: [1, 2] } })).resolves.toBeString()
expectTypeOf(db.extractModalitySignature('ep_1', 'touch')).resolves.toEqualTypeOf<Uint8Array | undefined>()
// @ts-expect-error: inputs of several senses without saying so
void db.observeSensory({ modality: 'image', image: new Uint8Array(4), audio: new Uint8Array(4) })
// @ts-expect-error: a latent frame without its encoder
void db.observeSensory({ modality: 'image', latent: new Float32Array(4) })
// @ts-expect-error: no such kind of event
void db.whatDidILearn(0, { kinds: ['dreamt'] })
