/** A change of the code that a test of its folder is to notice. */
export interface Mutant {
  readonly file: string
  /** Text that the file has exactly once. */
  readonly from: string
  readonly to: string
  /** What a user would notice. */
  readonly means: string
  /** The test file that is tried first. All of its folder's are tried before a mutant counts as survived. */
  readonly first: string
}

const mutant = (file: string, from: string, to: string, first: string, means: string): Mutant =>
  ({ file: `src/${file}`, from, to, first: `test/unit/${first}.test.ts`, means })

/** Mutants of what answers depend on: a part of a formula left out, a threshold halved, a limit of 1,000 that is 3. */
export const MUTANTS: readonly Mutant[] = [
  mutant('memory/self/self-vector.ts', 'const ALPHA = 0.05', 'const ALPHA = 0.1', 'memory/self/self-vector',
    'the self-vector moves twice as fast'),
  mutant('memory/sensory/surprise-profile.ts', 'below.low / (values.length - highs) - below.high / highs', 'below.low / (values.length - highs)',
    'memory/sensory/surprise-profile', 'the threshold of a profile misses the frames of high surprise'),
  mutant('memory/sensory/surprise-profile.ts', 'while (pools.length > 1 && pools', 'while (pools.length > 9_999 && pools', 'memory/sensory/surprise-profile',
    'the curve of a profile descends'),
  mutant('memory/sensory/surprise-threshold.ts', 'SURPRISE_THRESHOLD = 0.6', 'SURPRISE_THRESHOLD = 0.3', 'memory/sensory/senses',
    'what differs in nothing that matters is remembered'),
  mutant('memory/sensory/surprise-threshold.ts', 'GOAL_THRESHOLD = 0.1', 'GOAL_THRESHOLD = 0.5', 'memory/sensory/senses',
    'what bears on a goal is not remembered'),
  mutant('memory/sensory/buffer.ts', 'CAPACITY = 1_000', 'CAPACITY = 3', 'memory/sensory/senses', 'the buffer keeps three frames'),
  mutant('memory/sensory/buffer.ts', 'WINDOW_MS = 60_000', 'WINDOW_MS = 30_000', 'memory/sensory/senses', 'a frame is kept half as long'),
  mutant('memory/self/attention-traces.ts', 'foldedInto === undefined || foldedInto === id ?', 'foldedInto === undefined ?', 'recall/answer/trace',
    'a trace names a forgotten episode that others were folded into'),
  mutant('memory/knowledge/projection.ts', 'this.#changed.clear()', '', 'memory/knowledge/atoms', 'each epoch of the self-vector takes in all earlier atoms again'),
  mutant('memory/beliefs/bayes.ts', 'WITHDRAWN_BELOW = 0.05', 'WITHDRAWN_BELOW = 0.025', 'memory/beliefs/beliefs',
    'a belief is held that should be withdrawn'),

  mutant('encoding/record.ts', '...this.#products(subjects, objects, ROTATIONS.subjectObject),', '', 'encoding/record',
    'a pattern of subject and object finds statements that have them apart'),
  mutant('encoding/record.ts', '{ subjectPredicate: 1, predicateObject: 2, subjectObject: 3 }', '{ subjectPredicate: 0, predicateObject: 0, subjectObject: 0 }',
    'encoding/record', 'unrelated statements look alike'),
  mutant('encoding/text.ts', 'const PAIR_WEIGHT = 0.6', 'const PAIR_WEIGHT = 0', 'recall/recall', 'the order of words says nothing'),
  mutant('encoding/text.ts', 'const UNSEEN_WEIGHT = 0.3', 'const UNSEEN_WEIGHT = 0', 'encoding/text', 'a misspelt word finds nothing'),
  mutant('encoding/text.ts', 'const GRAM_LENGTHS = [3, 4]', 'const GRAM_LENGTHS = [9]', 'encoding/text', 'inflected words are not alike'),
  mutant('encoding/predicate.ts', 'denials % 2 === 1', 'denials > 0', 'encoding/predicate', '"never not" denies'),
  mutant('encoding/relation.ts', 'negated || holds !== true ? undefined : false', 'negated ? undefined : holds', 'encoding/relation',
    '"stopped living in" says "lives in"'),
  mutant('encoding/cleanup-memory.ts', 'if (z >= minimumZ)', 'if (z >= minimumZ / 2)', 'encoding/record', 'noise is cleaned up to some concept'),
  mutant('encoding/heaviest.ts', 'Math.sqrt(count - room)', 'query.norm', 'encoding/heaviest', 'likeness is too low in large memories'),
  mutant('encoding/traits.ts', 'if (NEGATIONS.has(word)) bits |= TRAIT.negation', '', 'encoding/text', 'a denial is not seen as one'),

  mutant('recall/ranking/ranking.ts', '      structured: structured * fitting,', '      structured: 0,', 'recall/recall', 'a pattern does not rank'),
  mutant('recall/ranking/weights.ts', '  before: 0.4,', '  before: 0,', 'recall/recall', 'an answer does not gain by the question before it'),
  mutant('recall/ranking/weights.ts', '  recency: 0.3,', '  recency: 0,', 'recall/recall', 'recencyWindow prefers nothing'),
  mutant('recall/ranking/weights.ts', 'structured: 0.7, fuzzy: 0.3 }', 'structured: 0.3, fuzzy: 0.7 }', 'recall/evidence/pattern', 'a pattern counts less than the cue beside it'),
  mutant('recall/answer/tiers.ts', 'SIMILAR_COVERAGE = 0.5', 'SIMILAR_COVERAGE = 0.25', 'recall/recall', 'half of the words in common count as likeness'),
  mutant('recall/answer/tiers.ts', 'TELLING_SHARE = 0.02', 'TELLING_SHARE = 1', 'recall/recall', 'a name that everything has is exact evidence'),
  mutant('recall/evidence/resting.ts', '1 - (1 - own) * (1 - found.rests)', 'own', 'recall/evidence/resting', 'a belief does not make its evidence surer'),
  mutant('recall/evidence/resting.ts', 'MOST_EACH = 100', 'MOST_EACH = 3', 'recall/evidence/resting', 'the evidence of a belief is not found'),
  mutant('recall/ranking/goal-boost.ts', 'const NEAR = 0.25', 'const NEAR = 0', 'recall/ranking/goals', 'a goal lifts what has nothing to do with it'),
  mutant('recall/answer/fold-duplicates.ts', '#?？؟]|', ']|', 'recall/answer/fold', 'a question is folded into its answer'),
  mutant('recall/query/times.ts', 'ANCHOR_COVERAGE = 0.8', 'ANCHOR_COVERAGE = 0.4', 'recall/time', 'another event is taken for the one that the cue names'),
  mutant('recall/candidates/candidates.ts', 'cue.structured && indexes.structured.scan(cue.structured, depth, mask)', 'undefined as never', 'recall/recall',
    'what only its statement tells is not found'),
  mutant('recall/answer/confidence.ts', 'return Math.min(CEILING[tier], likely)', 'return likely', 'recall/recall', 'weak evidence is sure'),

  mutant('memory/sensory/expectation.ts', 'slots.forEach((slot, i) => meaning.rateMemory(i, rate(latents!.latent(slot))))', '', 'memory/sensory/senses',
    'what a memory says in other words surprises'),
  mutant('memory/sensory/expectation.ts', 'believed.forEach(({ latent: own }, i) => meaning.rateBelief(i, rate(own)))', '', 'memory/sensory/senses',
    'what a belief says in other words surprises'),
  mutant('memory/sensory/expectation.ts', 'const MEMORIES = 1_000', 'const MEMORIES = 3', 'memory/sensory/senses', 'what was said four memories ago surprises'),
  mutant('memory/sensory/expectation.ts', 'const BELIEFS = 256', 'const BELIEFS = 3', 'memory/sensory/senses', 'what was believed four beliefs ago surprises'),
  mutant('memory/sensory/expectation.ts', 'if (latent !== undefined) relevance = ', 'if (latent !== undefined && relevance > 1) relevance = ', 'memory/sensory/senses',
    'what bears on a goal in other words is not remembered'),
  mutant('memory/sensory/comparison.ts', 'return { ...found, news: found.news + 1, differences:', 'return { ...found, differences:', 'memory/sensory/senses',
    'another who says the same of himself surprises nobody'),
  mutant('memory/sensory/news.ts', 'if (since !== undefined) {', 'if (since !== undefined && since.news > 99) {', 'memory/sensory/senses',
    'a state that is again as it was is no news'),
  mutant('memory/knowledge/similar-statements.ts', 'const WORDS = 0.6', 'const WORDS = 0.3', 'memory/knowledge/atoms', 'texts that share half of their words become one atom'),
  mutant('memory/knowledge/similar-statements.ts', 'const MEANING = 0.85', 'const MEANING = 0.425', 'memory/knowledge/atoms', 'texts of another meaning become one atom'),
  mutant('memory/knowledge/similar-statements.ts', 'const TERMS = 3', 'const TERMS = 1', 'memory/knowledge/atoms', '"Roger that" becomes an atom'),
  mutant('memory/knowledge/consolidation.ts', 'const MIN_SUPPORT = 3', 'const MIN_SUPPORT = 2', 'memory/knowledge/atoms', 'what was said twice becomes an atom'),
  mutant('memory/knowledge/contradictions.ts', 'overlap(a.support, b.support) && ', '', 'memory/knowledge/atoms', 'what was true at different times contradicts'),
  mutant('memory/beliefs/follow-evidence.ts', "verdict === 'contradicts' && isEarlier", "verdict === 'contradicts' && isEarlier && trust > 1", 'memory/beliefs/following',
    'what was so before a belief began lowers it'),
  mutant('memory/working/working.ts', 'const THREAD_TURNS = 50', 'const THREAD_TURNS = 3', 'memory/working/working', 'an open question is forgotten after three turns'),
  mutant('memory/working/working.ts', 'const CAPACITY = 7', 'const CAPACITY = 3', 'memory/working/working', 'working memory holds three turns'),
  mutant('memory/item-index.ts', 'const LEAST = 0.05', 'const LEAST = 0', 'memory/beliefs/believed', 'what shares a word with the cue is given beside the answer'),
  mutant('memory/self/self.ts', 'this.#vector.at(since - 1)', 'this.#vector.at(since)', 'memory/self/self', 'the drift of a time leaves out an epoch at its start'),
  mutant('memory/knowledge/support.ts', ' || joined.at > known)', ')', 'memory/knowledge/atoms', 'an atom of the past has episodes that were not known then'),
]
