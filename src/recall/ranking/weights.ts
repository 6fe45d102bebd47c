/**
 * How much each signal adds to a score, beside what each signature space says of its own signals. Own evidence is
 * relative to the best of the question. Set by hand, in round numbers; measured with `bench:recall`.
 */
export const WEIGHTS = Object.freeze({
  /** BM25 over posting lists. */
  words: 0.6,
  /** Own evidence of the memory before it in its session: often the question that this one answers. */
  before: 0.4,
  /** Own evidence of the memory after it. */
  after: 0.3,
  /** Own evidence of the memories two before and two after. */
  near: 0.1,
  /** The cue names the one who speaks. */
  speaker: 0.15,
  /** Concepts of the cue that the memory's triples name, by idf. */
  concepts: 0.3,
  /** Structured signature against what the cue knows of a statement. */
  structured: 0.3,
  /**
   * Both where all triples of the memory were read out of its text: these mostly repeat what its words say. With a
   * pattern they weigh as others do.
   */
  read: { concepts: 0.1, structured: 0 },
  /** Said in the time that the cue asks about, or names a time in it. */
  time: 0.6,
  /**
   * A belief or an atom that bears on the cue rests on it. At an even chance it is as much as the best adds by all
   * else.
   */
  rests: 3,
  /** Newness among the candidates when none is asked for: breaks near-ties only. */
  newness: 0.01,
  /** The same for cues with a picture, sound or video: an identical one leads, however alike a newer one is. */
  newnessOfPerceived: 0.00001,
  /** Recency when `recencyWindow` asks for it. */
  recency: 0.3,
})

/**
 * The range of the signal `order` for what is beyond doubt a quotation: of questions one in ten reaches the first
 * number of standard deviations, of five quoted words in a row nine in ten reach the second.
 */
export const QUOTED_RANGE = Object.freeze({ from: 6, to: 10 })

/** How a `structured` pattern and the cue weigh against each other by default. */
export const PATTERN_WEIGHTS = Object.freeze({ structured: 0.7, fuzzy: 0.3 })

/**
 * How much the learned ranker counts beside the fusion: up to `most`, since trees take near things for equal; half of
 * that in a memory of `small` episodes, where what is relative to the other candidates says little.
 */
export const LEARNED = Object.freeze({ most: 0.8, small: 20 })

/**
 * How many the learned ranker looks at: of the most promising, and of the best by each kind of evidence. Other numbers
 * are compared in docs/rankers.md.
 */
export const RANKED = Object.freeze({ promising: 60, each: 5 })

/** How many plain fusion chooses: of the best by itself, and by each kind of evidence. */
export const FUSED = Object.freeze({ best: 100, each: 40 })

/**
 * What makes a candidate promising: the weights of a logistic regression that tells the first twenty of the learned
 * ranker from the others. It was fitted on bench/data/conversations, without their judgements.
 */
export const PROMISE = Object.freeze({
  /** Plain fusion, the cosine of the meanings, and those of the neighbours with it: each as a z-score. */
  fusion: 1.611,
  meaning: 1.002,
  around: 0.444,
  /** The share of the cue's idf that it has together with two neighbours on each side. */
  covered: 3.074,
  /** The best of its session, as a z-score among the sessions. */
  session: 0.471,
  /** ln(1 + words). */
  length: 1.301,
  /** Its speaker is named (1), or another is (−1). */
  speaker: 1.115,
  /** It is a question. */
  question: -2.284,
})

/** Candidates taken from each source, at least. */
export const CANDIDATES = 60
