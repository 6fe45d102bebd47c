// What one case of the storage contract is, and what it runs on.
import type { OpenedStore } from './opened-store.js'

/** The optional parts of a storage; `nearest`: that of `signatures` which searches. */
export type PartName = 'signatures' | 'checkpoint' | 'maintenance' | 'nearest'

/** What a storage says that it offers, which decides the cases that apply to it. */
export interface StorageFeatures {
  /** Whether what was committed is there when the place is opened again. */
  readonly durable: boolean
  /** The optional parts that it has when it is open. Default: none. */
  readonly parts?: readonly PartName[]
}

/** The place of one case. It is empty when the case begins. */
export interface StorageContext extends StorageFeatures {
  /** Another adapter for this place. */
  storage(): OpenedStore
}

/** One case of the contract. `run` rejects when the storage breaks it. */
export interface StorageCase<C extends StorageContext = StorageContext> {
  /** A sentence about the behaviour. */
  readonly name: string
  /** What the storage must offer for this case; it does not apply to others. */
  readonly needs?: 'durable' | PartName
  run(context: C): Promise<void>
}

/** Whether a case applies to a storage. */
export function applies({ needs }: Pick<StorageCase, 'needs'>, { durable, parts = [] }: StorageFeatures): boolean {
  return needs === undefined || (needs === 'durable' ? durable : parts.includes(needs))
}
