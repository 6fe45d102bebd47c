import { cannotListen } from '../../api/listen.js'
import { checkEngineOptions } from '../../api/option-checks.js'
import { engineOptionsOf, OPEN_OPTIONS } from '../../api/option-table.js'
import { type Database, withScopes } from '../../api/scope.js'
import { ProcessPlace } from '../../rpc/node-processes/place.js'
import { share } from '../../rpc/tabs/share.js'
import { SharedFolder } from '../../storage/adapters/node/shared-folder.js'
import { engineOpener, type FolderPlace, type NodeOptions, type OpenOn } from './engine.js'

/** Options of a memory that several processes have open. */
export type SharedOptions = Extract<NodeOptions, FolderPlace>

/** How often a process that waits asks the owner for a sign of life: it is told after ten times without. */
const PING_MS = 1_000

/** Whether options that were checked say that the folder is shared. */
export function isShared(options: NodeOptions): options is SharedOptions {
  return (options as Partial<FolderPlace>).share === true
}

/** Opens a memory that other processes may have open, too. */
export async function shareFolder(options: SharedOptions): Promise<Database> {
  const { path, durability, readOnly = OPEN_OPTIONS.readOnly.default, writer = OPEN_OPTIONS.writer.default } = options
  checkEngineOptions(engineOptionsOf(options)) // this process may never open the engine itself
  /** The kernel and the codebook, which only the owner needs. */
  let opener: Promise<OpenOn> | undefined
  const load = (): Promise<OpenOn> => {
    const loading = (opener ??= engineOpener(options))
    loading.catch(() => (opener = undefined))
    return loading
  }
  const open = (folder: SharedFolder, threads: boolean) =>
    share({
      name: 'folder',
      place: new ProcessPlace('folder', folder),
      // Others may write: what this process alone must not do is refused before it is asked of the owner.
      open: async (handle) => (await load())(folder.storage(), { threads, handle, readOnly: false }),
      prepare: load,
      writer,
      readOnly,
      pingMs: PING_MS,
      admission: { encryption: options.encryption, load: () => import('../../storage/crypto/encryption.js') },
    })
  const folder = new SharedFolder(path, { create: !readOnly, durability })
  return withScopes(await open(folder, true), (key) => open(folder.scope(key), false), cannotListen)
}
