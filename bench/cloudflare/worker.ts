// Runs in workerd: memories as an application has them.
import { AgidbObject } from 'agidb/cloudflare'
import codebook from 'agidb/codebook.bin'
import kernel from 'agidb/kernel.wasm'

export { Contract, default } from '../../test/runtimes/durable-object.ts'

/** Objects that this isolate has constructed: those that are asked anew after an eviction are counted again. */
let constructed = 0

export class Memory extends AgidbObject {
  override options = { kernel, codebook, extract: 'none' as const }

  constructor(...given: ConstructorParameters<typeof AgidbObject>) {
    super(...given)
    constructed++
  }

  async constructed(): Promise<number> {
    return constructed
  }
}
