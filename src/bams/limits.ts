/** Stimuli of one comparison at most: a matrix of them has eight million pairs. */
export const MOST_STIMULI = 4_096
/** Stimuli of one comparison at least: fewer leave too few pairs to rank. */
export const FEWEST_STIMULI = 4
/** Repetitions of a test at most. */
export const MOST_REPETITIONS = 1_000_000
