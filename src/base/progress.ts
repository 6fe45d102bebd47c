/** How far a long call has come. `total` is missing where it is not known in advance. */
export interface Progress {
  readonly done: number
  readonly total?: number
}
