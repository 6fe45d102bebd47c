/** The first byte of a row that is a sensory frame. */
export const FRAME_ROW = 2
