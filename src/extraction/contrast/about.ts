/** From this share of what one of two texts says on, they are about the same. */
export const ABOUT = 0.5
