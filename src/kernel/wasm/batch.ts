import { AgidbError } from '../../base/errors.js'
import * as wasm from '../built/agidb_kernel.js'
import { checkAdded, checkMost, checkQuery } from '../checks.js'
import { type Batch, type Query, SIGNATURE_BYTES } from '../port.js'

const NO_PLANES = new Uint8Array(0)

/** A batch in the memory of the WebAssembly instance. */
export class WasmBatch implements Batch {
  private held: wasm.WasmBatch | undefined = new wasm.WasmBatch()
  private address = 0
  private room = 0
  private count = 0
  /** A view of the room, empty after the memory has grown. */
  private space = new Uint8Array(0)

  constructor(private readonly memory: WebAssembly.Memory) {}

  get bytes(): number {
    return this.held?.bytes ?? 0
  }

  begin(most: number): void {
    checkMost(most)
    const address = this.live().room(most)
    if (address === undefined)
      throw new AgidbError('AGIDB_KERNEL', `the memory of the kernel has no room for ${most} signatures to be scored`, {
        signatures: most,
      })
    this.address = address
    this.room = most
    this.count = 0
    this.space = new Uint8Array(0)
  }

  add(bytes: Uint8Array, at = 0): void {
    this.live()
    checkAdded(bytes, at, this.count < this.room)
    if (this.space.length === 0)
      this.space = new Uint8Array(this.memory.buffer, this.address, this.room * SIGNATURE_BYTES)
    this.space.set(bytes.subarray(at, at + SIGNATURE_BYTES), this.count++ * SIGNATURE_BYTES)
  }

  score(query: Query): Int32Array {
    checkQuery(query)
    return this.live().score(query.signs, query.planes ?? NO_PLANES, this.count)
  }

  free(): void {
    this.held?.free()
    this.held = undefined
    this.room = 0
  }

  private live(): wasm.WasmBatch {
    if (this.held === undefined) throw new AgidbError('AGIDB_CLOSED', 'this batch was freed; make a new one')
    return this.held
  }
}
