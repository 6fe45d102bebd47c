/** The id of `built/minilm-256.bin`, by which a copy of it is told from one of another version. */
export const BUILT_CODEBOOK = '71a55144fd901cf5'
