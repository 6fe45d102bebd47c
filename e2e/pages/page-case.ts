/** One case of a page that runs by itself. `run` rejects when it fails; what it resolves to is worth printing. */
export interface PageCase {
  readonly name: string
  run(): Promise<string | void>
}
