/** What indexes are made of, by name, to be kept and loaded again: nothing is tokenised or encoded a second time. */
export type ImageParts = Map<string, ImageArray>

/** Arrays that an image can hold, little-endian. */
export type ImageArray = Uint8Array | Uint16Array | Int32Array | Uint32Array | Float64Array
