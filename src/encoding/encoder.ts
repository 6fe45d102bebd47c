/**
 * The version of what turns an episode into signatures, 1 to 255: kept beside every signature, so that one that another
 * version made is made again from the row. To be raised with every change of a feature, of a weight of one, or of the
 * codebook that they are drawn from.
 */
export const ENCODER_VERSION = 1
