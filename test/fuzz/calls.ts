import type { Method } from '../../src/api/registry.js'
import type { Random } from './mutate.js'

/** Calls that are well. The memory that they are made on has an episode `first`. */
const CALLS: readonly (readonly [method: Method, ...args: unknown[]])[] = [
  [
    'observe',
    'It was said by Maya.',
    {
      session: 's',
      speaker: 'Maya',
      at: '2026-05-01T19:00:00Z',
      triples: [{ subject: 'Maya', predicate: 'says', object: 'it' }],
    },
  ],
  ['observeMany', [{ text: 'One thing.' }, { text: 'Another thing.', id: 'other', source: 'chat' }], {}],
  ['getEpisode', 'first'],
  ['update', 'first', { text: 'It was said by Tom.', speaker: null, at: 5, triples: [] }, { keep: false }],
  ['history', 'first'],
  ['conflicts', { about: 'Maya', at: 5, limit: 3 }],
  ['supersede', 'first', 'first', 5],
  ['recall', 'what was said?', { k: 3, session: 's', signals: ['text'] }],
  ['attentionTrace', 'rec_1'],
  ['stats'],
  ['flush'],
  [
    'observeSensory',
    { modality: 'audio', encoder: 'my-model', latent: Float32Array.of(0.3, -0.1, 0.8), text: 'Laughter', session: 's' },
  ],
  [
    'observeSensory',
    {
      modality: 'multimodal',
      text: 'A bell rings',
      latents: { image: Float32Array.of(0.1, 0.2), audio: Float32Array.of(0.3, -0.1, 0.8) },
      keep: 'none',
      session: 's',
    },
  ],
  ['surpriseScore', { modality: 'multimodal', text: 'A bell rings' }],
  ['surpriseScore', { modality: 'audio', encoder: 'my-model', latent: Float32Array.of(0.1, 0.2, 0.3) }],
  ['workingState', 's'],
  ['workingMemory', 's', { capacity: 4 }],
  ['consolidate', {}],
  ['semanticAtoms', { subject: 'Maya' }],
  ['learnProcedure', { name: 'book', trigger: 'a table is wanted', steps: ['call', 'ask'], evidence: ['first'] }],
  ['proceduresFor', 'a table', { k: 2 }],
  ['recordExecution', 'proc_1', 'succeeded'],
  ['setGoal', { description: 'Find a place.', successCriteria: ['found'], deadline: 1_900_000_000_000 }],
  ['reviseGoal', 'goal_1', { description: 'Find another place.', deadline: null }],
  ['completeGoal', 'goal_1', ['first']],
  ['activeGoals'],
  ['goalTree', 'goal_1'],
  [
    'assertBelief',
    { claim: 'It is so.', subject: 'it', predicate: 'is', object: 'so', confidence: 0.7, evidence: ['first'] },
  ],
  ['whatDoIBelieve', 'it', { k: 3 }],
  ['withdrawBelief', 'bel_1', 'it is not'],
  ['whatDidILearn', 0, { limit: 3 }],
  ['selfVectorAt', 5],
  ['selfSimilarity', 'tea'],
  ['introspect', { since: 0 }],
  [
    'neurosymbolicQuery',
    { structured: { subject: 'Maya', polarity: 'positive', from: 5 }, fuzzyCue: 'said' },
    { k: 3 },
  ],
  ['tripleToSignature', [{ subject: 'Maya', predicate: 'says', object: 'it' }]],
  ['signatureToTriples', new Uint8Array(1024), { k: 3 }],
  ['cueToPartialSignature', 'what did Maya say?'],
  ['beliefToSignature', { claim: 'It is so.', confidence: 0.7 }],
  ['signatureToModality', new Uint8Array(1024), 'audio'],
  ['extractModalitySignature', 'first', 'text'],
  ['episodeToSignature', 'first'],
  ['signatureToEpisode', new Uint8Array(1024)],
  ['analogy', 'Maya', 'it', 'Tom', { k: 3 }],
  ['verify', {}],
]

const KEYS = [
  'text',
  'id',
  'k',
  'cue',
  'limit',
  'after',
  'at',
  'signal',
  'onProgress',
  'replace',
  'format',
  'passphrase',
  'claim',
  'evidence',
  'description',
  'steps',
  'name',
  'trigger',
  'modality',
  'latent',
  'latents',
  'image',
  'encoder',
  '__proto__',
  'constructor',
]

/** A call that is well, in which something may be another. */
export function call(from: Random): { method: Method; args: unknown[] } {
  const [method, ...args] = from.pick(CALLS)
  return { method, args: from.below(3) === 0 ? args : (changed(args, from) as unknown[]) }
}

/** A copy in which one thing is another, is missing, or is there besides. */
export function changed(given: unknown, from: Random): unknown {
  if (Array.isArray(given)) {
    const copy: unknown[] = [...given]
    const at = from.below(copy.length + 1)
    if (at === copy.length) copy.push(value(from, 1))
    else if (from.below(6) === 0) copy.splice(at, 1)
    else copy[at] = changed(copy[at], from)
    return copy
  }
  if (
    typeof given !== 'object' ||
    given === null ||
    Object.getPrototypeOf(given) !== Object.prototype ||
    from.below(6) === 0
  )
    return value(from, 1)
  const copy = { ...given }
  const keys = Object.keys(copy)
  const key = from.below(5) === 0 ? from.pick(KEYS) : from.pick(keys.length > 0 ? keys : KEYS)
  const put = (value: unknown): unknown =>
    Object.defineProperty(copy, key, { value, enumerable: true, configurable: true, writable: true })
  if (from.below(6) === 0) Reflect.deleteProperty(copy, key)
  else put(changed(copy[key as keyof typeof copy], from))
  return copy
}

/** Whatever can be cloned. */
export function value(from: Random, depth: number): unknown {
  const leaf = from.below(depth === 0 ? 12 : 15)
  switch (leaf) {
    case 0:
      return undefined
    case 1:
      return null
    case 2:
      return from.pick([true, false])
    case 3:
      return from.pick([0, -1, 0.5, 1, 10, 1e9, 2 ** 53, NaN, Infinity, -0])
    case 4:
      return from.pick([
        '',
        ' ',
        'first',
        'text',
        'It is said.',
        '\ud800',
        '<img src=x onerror=alert(1)>',
        'x'.repeat(5000),
        'all',
        'jsonl',
      ])
    case 5:
      return new Date(from.pick([0, NaN, 8.64e15]))
    case 6:
      return new Uint8Array(from.below(40))
    case 7:
      return Float32Array.of(1, NaN, 2).subarray(0, from.below(4))
    case 8:
      return 10n
    case 9:
      return new Map([['a', 1]])
    case 10:
      return /x/
    case 11:
      return new Error('x')
    case 12:
      return Array.from({ length: from.below(4) }, () => value(from, depth - 1))
    default: {
      const object: Record<string, unknown> = {}
      for (let i = from.below(4); i > 0; i--)
        Object.defineProperty(object, from.pick(KEYS), {
          value: value(from, depth - 1),
          enumerable: true,
          configurable: true,
          writable: true,
        })
      return object
    }
  }
}
