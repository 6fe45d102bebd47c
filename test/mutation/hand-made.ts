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
  ({ file: `src/${file}`, from, to, first: `test/${first}.test.ts`, means })

/** Mutants of what answers depend on: a part of a formula left out, a threshold halved, a limit of 1,000 that is 3. */
export const MUTANTS: readonly Mutant[] = [
  mutant('floors/self-vector.ts', 'const ALPHA = 0.05', 'const ALPHA = 0.1', 'floors/self-vector',
    'the self-vector moves twice as fast'),
  mutant('floors/surprise-profile.ts', 'below.low / (values.length - highs) - below.high / highs', 'below.low / (values.length - highs)',
    'floors/surprise-profile', 'the threshold of a profile misses the frames of high surprise'),
  mutant('floors/surprise-profile.ts', 'while (pools.length > 1 && pools', 'while (pools.length > 9_999 && pools', 'floors/surprise-profile',
    'the curve of a profile descends'),
  mutant('floors/surprise.ts', 'SURPRISE_THRESHOLD = 0.6', 'SURPRISE_THRESHOLD = 0.3', 'mind/senses',
    'what differs in nothing that matters is remembered'),
  mutant('floors/surprise.ts', 'GOAL_THRESHOLD = 0.1', 'GOAL_THRESHOLD = 0.5', 'mind/senses',
    'what bears on a goal is not remembered'),
  mutant('floors/buffer.ts', 'CAPACITY = 1_000', 'CAPACITY = 3', 'mind/senses', 'the buffer keeps three frames'),
  mutant('floors/buffer.ts', 'WINDOW_MS = 60_000', 'WINDOW_MS = 30_000', 'mind/senses', 'a frame is kept half as long'),
  mutant('floors/attention.ts', 'foldedInto === undefined || foldedInto === id ?', 'foldedInto === undefined ?', 'recall/trace',
    'a trace names a forgotten episode that others were folded into'),
  mutant('floors/atoms.ts', 'this.#changed.clear()', '', 'mind/atoms', 'each epoch of the self-vector takes in all earlier atoms again'),
  mutant('floors/beliefs/bayes.ts', 'WITHDRAWN_BELOW = 0.05', 'WITHDRAWN_BELOW = 0.025', 'mind/beliefs',
    'a belief is held that should be withdrawn'),

  mutant('hdc/record.ts', '...this.#products(subjects, objects, ROTATIONS.subjectObject),', '', 'hdc/record',
    'a pattern of subject and object finds statements that have them apart'),
  mutant('hdc/record.ts', '{ subjectPredicate: 1, predicateObject: 2, subjectObject: 3 }', '{ subjectPredicate: 0, predicateObject: 0, subjectObject: 0 }',
    'hdc/record', 'unrelated statements look alike'),
  mutant('hdc/text.ts', 'const PAIR_WEIGHT = 0.6', 'const PAIR_WEIGHT = 0', 'recall/recall', 'the order of words says nothing'),
  mutant('hdc/text.ts', 'const UNSEEN_WEIGHT = 0.3', 'const UNSEEN_WEIGHT = 0', 'hdc/text', 'a misspelt word finds nothing'),
  mutant('hdc/text.ts', 'const GRAM_LENGTHS = [3, 4]', 'const GRAM_LENGTHS = [9]', 'hdc/text', 'inflected words are not alike'),
  mutant('hdc/predicate.ts', 'denials % 2 === 1', 'denials > 0', 'hdc/predicate', '"never not" denies'),
  mutant('hdc/relation.ts', 'negated || holds !== true ? undefined : false', 'negated ? undefined : holds', 'hdc/relation',
    '"stopped living in" says "lives in"'),
  mutant('hdc/codebook.ts', 'if (z >= minimumZ)', 'if (z >= minimumZ / 2)', 'hdc/record', 'noise is cleaned up to some concept'),
  mutant('hdc/heaviest.ts', 'Math.sqrt(count - room)', 'query.norm', 'hdc/heaviest', 'likeness is too low in large memories'),
  mutant('hdc/traits.ts', 'if (NEGATIONS.has(word)) bits |= TRAIT.negation', '', 'hdc/text', 'a denial is not seen as one'),

  mutant('recall/ranking.ts', '      structured: structured * fitting,', '      structured: 0,', 'recall/recall', 'a pattern does not rank'),
  mutant('recall/weights.ts', '  before: 0.4,', '  before: 0,', 'recall/recall', 'an answer does not gain by the question before it'),
  mutant('recall/weights.ts', '  recency: 0.3,', '  recency: 0,', 'recall/recall', 'recencyWindow prefers nothing'),
  mutant('recall/weights.ts', 'structured: 0.7, fuzzy: 0.3 }', 'structured: 0.3, fuzzy: 0.7 }', 'recall/pattern', 'a pattern counts less than the cue beside it'),
  mutant('recall/tiers.ts', 'SIMILAR_COVERAGE = 0.5', 'SIMILAR_COVERAGE = 0.25', 'recall/recall', 'half of the words in common count as likeness'),
  mutant('recall/tiers.ts', 'TELLING_SHARE = 0.02', 'TELLING_SHARE = 1', 'recall/recall', 'a name that everything has is exact evidence'),
  mutant('recall/resting.ts', '1 - (1 - own) * (1 - found.rests)', 'own', 'recall/resting', 'a belief does not make its evidence surer'),
  mutant('recall/resting.ts', 'MOST_EACH = 100', 'MOST_EACH = 3', 'recall/resting', 'the evidence of a belief is not found'),
  mutant('recall/goals.ts', 'const NEAR = 0.25', 'const NEAR = 0', 'recall/goals', 'a goal lifts what has nothing to do with it'),
  mutant('recall/fold.ts', '#?？؟]|', ']|', 'recall/fold', 'a question is folded into its answer'),
  mutant('recall/times.ts', 'ANCHOR_COVERAGE = 0.8', 'ANCHOR_COVERAGE = 0.4', 'recall/time', 'another event is taken for the one that the cue names'),
  mutant('recall/candidates.ts', 'cue.structured && indexes.structured.scan(cue.structured, depth, mask)', 'undefined as never', 'recall/recall',
    'what only its statement tells is not found'),
  mutant('recall/confidence.ts', 'return Math.min(CEILING[tier], likely)', 'return likely', 'recall/recall', 'weak evidence is sure'),

  mutant('mind/expectation.ts', 'slots.forEach((slot, i) => meaning.rateMemory(i, rate(latents!.latent(slot))))', '', 'mind/senses',
    'what a memory says in other words surprises'),
  mutant('mind/expectation.ts', 'believed.forEach(({ latent: own }, i) => meaning.rateBelief(i, rate(own)))', '', 'mind/senses',
    'what a belief says in other words surprises'),
  mutant('mind/expectation.ts', 'const MEMORIES = 1_000', 'const MEMORIES = 3', 'mind/senses', 'what was said four memories ago surprises'),
  mutant('mind/expectation.ts', 'const BELIEFS = 256', 'const BELIEFS = 3', 'mind/senses', 'what was believed four beliefs ago surprises'),
  mutant('mind/expectation.ts', 'if (latent !== undefined) relevance = ', 'if (latent !== undefined && relevance > 1) relevance = ', 'mind/senses',
    'what bears on a goal in other words is not remembered'),
  mutant('mind/comparing.ts', 'return { ...found, news: found.news + 1, differences:', 'return { ...found, differences:', 'mind/senses',
    'another who says the same of himself surprises nobody'),
  mutant('mind/news.ts', 'if (since !== undefined) {', 'if (since !== undefined && since.news > 99) {', 'mind/senses',
    'a state that is again as it was is no news'),
  mutant('mind/alike.ts', 'const WORDS = 0.6', 'const WORDS = 0.3', 'mind/atoms', 'texts that share half of their words become one atom'),
  mutant('mind/alike.ts', 'const MEANING = 0.85', 'const MEANING = 0.425', 'mind/atoms', 'texts of another meaning become one atom'),
  mutant('mind/alike.ts', 'const TERMS = 3', 'const TERMS = 1', 'mind/atoms', '"Roger that" becomes an atom'),
  mutant('mind/consolidation.ts', 'const MIN_SUPPORT = 3', 'const MIN_SUPPORT = 2', 'mind/atoms', 'what was said twice becomes an atom'),
  mutant('mind/contradictions.ts', 'overlap(a.support, b.support) && ', '', 'mind/atoms', 'what was true at different times contradicts'),
  mutant('mind/following.ts', "verdict === 'contradicts' && isEarlier", "verdict === 'contradicts' && isEarlier && trust > 1", 'mind/following',
    'what was so before a belief began lowers it'),
  mutant('mind/working.ts', 'const THREAD_TURNS = 50', 'const THREAD_TURNS = 3', 'mind/working', 'an open question is forgotten after three turns'),
  mutant('mind/working.ts', 'const CAPACITY = 7', 'const CAPACITY = 3', 'mind/working', 'working memory holds three turns'),
  mutant('mind/shelf.ts', 'const LEAST = 0.05', 'const LEAST = 0', 'mind/believed', 'what shares a word with the cue is given beside the answer'),
  mutant('mind/self.ts', 'this.#vector.at(since - 1)', 'this.#vector.at(since)', 'mind/self', 'the drift of a time leaves out an epoch at its start'),
  mutant('mind/support.ts', ' || joined.at > known)', ')', 'mind/atoms', 'an atom of the past has episodes that were not known then'),
]
