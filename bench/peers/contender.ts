import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { UsageError } from '../command.js'

/** Where a contender keeps what it keeps, and how much will come. */
export interface Setting {
  readonly folder: string
  readonly count: number
}

/** Something to be searched. Items are numbered from 0 in the order in which they are added. */
export interface Index<Item, Query = Item> {
  add(items: readonly Item[]): void | Promise<void>
  /** What is left to do when all are in. */
  finish?(): void | Promise<void>
  /** The numbers of the best `k`, best first. */
  search(query: Query, k: number): readonly number[] | Promise<readonly number[]>
  /** Bytes of main memory by its own account. */
  bytes?(): number
  /** Writes what {@link Contender.reopen} reads, or lets go of what is written already. */
  save?(): void | Promise<void>
}

/** Who is measured: this library or a peer, in one setting. */
export interface Contender<Item, Query = Item> {
  readonly name: string
  /** What a reader needs to know of how it is used here. */
  readonly note?: string
  /** An empty index, with its library loaded. */
  open(setting: Setting): Promise<Index<Item, Query>>
  /** The index that was saved; absent where it cannot be saved in Node. */
  reopen?(setting: Setting): Promise<Index<Item, Query>>
}

const require = createRequire(import.meta.url)

/**
 * A package of bench/peers/package.json. They are not dependencies of this one: `npm ci --prefix bench/peers` installs
 * them.
 *
 * @typeParam T what of its exports is used
 */
export async function peer<T>(name: string): Promise<T> {
  return (await import(pathToFileURL(resolved(name)).href)) as T
}

/** The path of a file in a package of bench/peers. */
export function resolved(name: string): string {
  try {
    return require.resolve(`./node_modules/${name}`)
  } catch (cause) {
    throw new UsageError('the peers are not installed: npm ci --prefix bench/peers', { cause })
  }
}
