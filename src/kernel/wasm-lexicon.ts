import { AgidbError } from '../core/errors.js'
import * as wasm from './built/agidb_kernel.js'
import { checkFeatures, checkWords } from './checks.js'
import { packNames } from './names.js'
import type { Hypervector, Lexicon } from './port.js'

const utf8 = new TextEncoder()

/** A lexicon in the memory of the WebAssembly instance. */
export class WasmLexicon implements Lexicon {
  private held: wasm.WasmLexicon | undefined = new wasm.WasmLexicon()
  private size = 0

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

  free(): void {
    this.held?.free()
    this.held = undefined
  }

  private live(): wasm.WasmLexicon {
    if (this.held === undefined) throw new AgidbError('AGIDB_INTERNAL', 'the lexicon was used after it was freed')
    return this.held
  }
}
