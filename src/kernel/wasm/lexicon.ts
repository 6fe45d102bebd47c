import { AgidbError } from '../../base/errors.js'
import * as wasm from '../built/agidb_kernel.js'
import { checkEnds, checkFeatures, checkRoom, checkWords } from '../checks.js'
import { packNames } from '../names.js'
import { type Hypervector, type Lexicon, SIGNATURE_BYTES } from '../port.js'

const utf8 = new TextEncoder()

/** A lexicon in the memory of the WebAssembly instance. */
export class WasmLexicon implements Lexicon {
  private held: wasm.WasmLexicon | undefined = new wasm.WasmLexicon()
  private size = 0

  constructor(
    private readonly memory: WebAssembly.Memory,
    private readonly made: wasm.WasmMade,
  ) {}

  add(word: string, names: readonly string[], weights: Uint32Array): number {
    checkFeatures(word, names, weights)
    const { bytes, ends } = packNames(names)
    const number = this.live().add(utf8.encode(word), bytes, ends, weights)
    this.size = number + 1
    return number
  }

  signature(words: Uint32Array): Hypervector {
    checkWords(words, this.size)
    return this.live().signature(words)
  }

  signatures(words: Uint32Array, ends: Uint32Array, into: Uint8Array): void {
    checkWords(words, this.size)
    checkEnds(ends, words.length)
    checkRoom(into, ends.length)
    this.made.texts(this.live(), words, ends)
    into.set(new Uint8Array(this.memory.buffer, this.made.address, ends.length * SIGNATURE_BYTES))
  }

  free(): void {
    this.held?.free()
    this.held = undefined
  }

  private live(): wasm.WasmLexicon {
    if (this.held === undefined) throw new AgidbError('AGIDB_INTERNAL', 'the lexicon was used after it was freed')
    return this.held
  }
}
