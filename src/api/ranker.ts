import type { EpisodeId } from './episode.js'

/**
 * A regression tree in arrays, one entry a node, the root first. A value goes left if it is not above the threshold;
 * the right child stands beside the left one. `value` is what the tree would answer if it ended there, so that the
 * step from a node to its child is what the feature asked there contributes.
 */
export interface Tree {
  /** Index into `Model.features`. */
  readonly feature: readonly number[]
  readonly threshold: readonly number[]
  /** The left child; 0 at a leaf. */
  readonly left: readonly number[]
  readonly value: readonly number[]
}

/** A logistic curve: how likely a candidate is to be right. */
export interface Calibration {
  /** Names of features, or `score` (of the trees), `gap` (to the best score), `rank` (ln(1 + rank)). */
  readonly inputs: readonly string[]
  readonly weights: readonly number[]
  readonly intercept: number
  /**
   * The confidence that the best match of a cue has at least where something answers it: less says that nothing here
   * does.
   */
  readonly answered: number
}

/** Boosted trees over named features. */
export interface Model {
  readonly features: readonly string[]
  readonly trees: readonly Tree[]
  /**
   * Factor that puts what the trees answer on the scale of the unlearned fusion, so that other signals weigh as much
   * beside either.
   */
  readonly scale: number
  readonly calibration: Calibration
}

/** What was at hand when a model was trained: neither of them, the codebook, or also a sentence encoder. */
export type Equipment = 'plain' | 'codebook' | 'encoder'

/** The memories by whose ids a ranker was trained. */
export interface TrainingRecords {
  /** The id of the database, see `Stats`. */
  readonly database: string
  readonly ids: readonly EpisodeId[]
}

/** A learned ranker: plain JSON. `agidb train` makes one. */
export interface Ranker {
  readonly format: 'agidb-ranker'
  readonly version: 1
  readonly name: string
  /** What it was trained on, and under which licence. */
  readonly trainedOn: string
  readonly licence: string
  /** Absent where it was trained on what no user stored. */
  readonly records?: TrainingRecords
  /**
   * The script of its training texts (`Latin`). A cue mostly in another script is ranked by the fusion.
   * Absent: all are ranked.
   */
  readonly script?: string
  /** A model for each equipment; at least one. */
  readonly models: Readonly<Partial<Record<Equipment, Model>>>
}
