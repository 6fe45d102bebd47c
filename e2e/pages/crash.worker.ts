import { expose } from 'comlink'
import { BROWSER_PARTS } from '../../src/runtimes/browser/parts.js'
import { codebookHere } from '../../src/runtimes/browser/codebook.js'
import type { Engine } from '../../src/engine/engine.js'
import { openEngine } from '../../src/engine/open.js'
import { loadKernel } from '../../src/kernel/load.js'
import { browserStorage } from '../../src/storage/adapters/browser/browser.js'
import { tabEnvironment } from '../../src/rpc/tabs/environment.js'
import { share } from '../../src/rpc/tabs/share.js'
import { engineHost } from '../../src/rpc/worker/host.js'

/**
 * The engine worker, which removes an episode when a channel says its id, and says then which it was, or why it could
 * not.
 */
let engine: Engine
const host = engineHost(async ({ name }) => {
  const open = async (handle: string): Promise<Engine> => {
    const [meaning, kernel] = await Promise.all([codebookHere(undefined), loadKernel()])
    return (engine = await openEngine({
      ...meaning,
      kernel,
      parts: BROWSER_PARTS,
      handle,
      storage: browserStorage(name!),
    }))
  }
  return share({ name: name!, place: tabEnvironment()!, open, writer: 'agidb', readOnly: false })
})
expose(host)

export interface Removal {
  readonly id: string
  readonly error?: string
}

const channel = new BroadcastChannel('remove')
channel.onmessage = ({ data: id }: MessageEvent<string>) => {
  engine.remove(id).then(
    () => channel.postMessage({ id } satisfies Removal),
    (error: unknown) => channel.postMessage({ id, error: String(error) } satisfies Removal),
  )
}
