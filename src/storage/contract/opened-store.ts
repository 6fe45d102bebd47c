// An adapter and the storage that it opened, as one object: a case of the contract opens, commits and closes one thing.
import type { OpenedStorage, StorageAdapter } from '../../api/storage.js'
import { AgidbError } from '../../base/errors.js'

/** An adapter with the parts of the storage that it opened last. What is not open is refused with `AGIDB_CLOSED`. */
export class OpenedStore implements StorageAdapter {
  readonly #adapter: StorageAdapter
  #opened: OpenedStorage | undefined
  #onDeleted: ((error: AgidbError) => void)[] = []
  #deleted: AgidbError | undefined

  constructor(adapter: StorageAdapter) {
    this.#adapter = adapter
  }

  get searches(): boolean {
    return this.#adapter.searches === true
  }

  readonly open: StorageAdapter['open'] = async (visit, checkpoint, onDeleted) => {
    this.#deleted = undefined
    this.#onDeleted = onDeleted === undefined ? [] : [onDeleted]
    const opened = await this.#adapter.open(visit, checkpoint, (error) => {
      this.#deleted = error
      for (const listener of this.#onDeleted) listener(error)
    })
    return (this.#opened = opened)
  }

  readonly commit: OpenedStorage['rows']['commit'] = async (changes) => this.parts.rows.commit(changes)
  readonly rows: OpenedStorage['rows']['get'] = async (slots) => this.parts.rows.get(slots)
  readonly slots: OpenedStorage['rows']['slots'] = async () => this.parts.rows.slots()
  readonly read: OpenedStorage['rows']['read'] = async (slots) => this.parts.rows.read(slots)
  readonly replace: OpenedStorage['rows']['replace'] = async (fill) => this.parts.rows.replace(fill)
  readonly flush: OpenedStorage['flush'] = async () => this.parts.flush()
  readonly stats: OpenedStorage['stats'] = async () => this.parts.stats()
  /** Also where nothing was ever opened. */
  readonly close: OpenedStorage['close'] = async () => this.#opened?.close()

  /** Calls `listener` once the place is found to be deleted; at once when it is known to be. */
  onDeleted(listener: (error: AgidbError) => void): void {
    if (this.#deleted !== undefined) listener(this.#deleted)
    else this.#onDeleted.push(listener)
  }

  /** @throws AgidbError `AGIDB_CLOSED` when nothing was opened */
  get parts(): OpenedStorage {
    if (this.#opened === undefined) throw new AgidbError('AGIDB_CLOSED', 'the storage is not open')
    return this.#opened
  }
}
