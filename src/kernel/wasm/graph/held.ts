import { AgidbError } from '../../../base/errors.js'
import { damaged, type Magic, opened, sealed } from '../../graph/image.js'

/** What a graph of WebAssembly has. */
export interface Made {
  save(): Uint8Array
  load(body: Uint8Array, count: number): boolean
  free(): void
}

/** A graph in the memory of WebAssembly: how it is saved, loaded and freed. */
export class Held<G extends Made> {
  #graph: G | undefined

  constructor(
    private readonly magic: Magic,
    private readonly make: () => G,
  ) {
    this.#graph = make()
  }

  /** The graph. @throws AgidbError `AGIDB_CLOSED` after it was freed */
  get live(): G {
    if (this.#graph === undefined) throw new AgidbError('AGIDB_CLOSED', 'this graph was freed; make a new one')
    return this.#graph
  }

  save(count: number): Uint8Array {
    return sealed(this.magic, count, this.live.save())
  }

  load(bytes: Uint8Array): void {
    const { body, count } = opened(this.magic, bytes)
    if (this.live.load(body, count)) return
    // What was loaded of it must not stay.
    this.free()
    this.#graph = this.make()
    throw damaged(this.magic, 'it holds what no graph saves')
  }

  free(): void {
    this.#graph?.free()
    this.#graph = undefined
  }
}

/** Words of 32 bits, read as weights. */
export function weightsOf(words: Uint32Array): Float32Array {
  return new Float32Array(words.buffer, words.byteOffset, words.length)
}

/** Every `width`-th word, from the one at `from` on. */
export function column(words: Uint32Array, width: number, from: number): Uint32Array {
  const column = new Uint32Array(words.length / width)
  for (let i = 0; i < column.length; i++) column[i] = words[i * width + from]
  return column
}
