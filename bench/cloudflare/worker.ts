// Runs in workerd: memories as an application has them.
import { AgidbObject } from 'agidb/cloudflare'
import codebook from 'agidb/codebook.bin'
import kernel from 'agidb/kernel.wasm'

export { Contract, default } from '../../test/runtimes/durable-object.ts'

export class Memory extends AgidbObject {
  override options = { kernel, codebook, extract: 'none' as const }
}
