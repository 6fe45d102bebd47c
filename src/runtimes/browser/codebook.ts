import type { OnOpenProgress } from '../../api/open-progress.js'
import { rankerUrl } from '../../encoding/codebook/ranker-file.js'
import { unpack, type PackedModel } from '../../recall/ranking/packed.js'
import type { LateModels } from '../../recall/ranking/rankers.js'
import { free } from '../../recall/ranking/tables/free.js'
import { BUILT_CODEBOOK } from '../../encoding/codebook/built.js'
import type { Codebook } from '../../encoding/codebook/codebook.js'
import { codebookUrl } from '../../encoding/codebook/file.js'
import type { CodebookSource } from '../../encoding/codebook/load.js'
import { decodeUtf8 } from '../../base/utf8.js'
import { codebookPart } from './parts.js'

/**
 * The cache, and the library's own codebook and its ranker in it: by names that stay, since their URLs change whenever
 * a page is built.
 */
const CACHE = 'agidb-codebook'
const OWN = '/agidb/codebook.bin'
const RANKER = '/agidb/ranker.bin'

/** A codebook, or how it will be had; neither when none is wanted. */
export interface CodebookHere {
  readonly codebook?: Codebook
  /** Fetches the one beside the library. Rejects when it cannot be had. */
  readonly codebookComing?: () => Promise<Codebook>
  /** The models that rank with a codebook: here as soon as the codebook is, unless they cannot be had. */
  readonly lateModels?: LateModels
}

/**
 * The codebook of a page. Everything works without it, a little less well, so nobody waits for the one beside the
 * library: it is here if it was fetched before, or it comes later. One that was asked for must be there. What was
 * fetched is kept in the Cache API, for pages without a network.
 *
 * @param source what the caller asked for, if anything
 * @param ranked whether the ranker `free` is used, which has models of its own for memories with a codebook. Default
 * true.
 * @param onProgress told of the bytes that have come, where the codebook is fetched.
 * @throws AgidbError as {@link loadCodebook}, for a codebook that was asked for
 */
export async function codebookHere(
  source: CodebookSource | undefined,
  ranked = true,
  onProgress?: OnOpenProgress,
): Promise<CodebookHere> {
  if (source === 'none') return {}
  let models: PackedModels | undefined
  const withModels = async (codebook: Promise<Codebook | undefined>): Promise<Codebook | undefined> => {
    const [came, ranking] = await Promise.all([codebook, ranked ? ownModels() : undefined])
    models = ranking
    return came
  }
  const lateModels: LateModels = (equipment) => models && unpack(models[equipment])
  if (source === undefined) {
    const codebook = await keptOwn()
    if (codebook !== undefined) return { codebook: await withModels(Promise.resolve(codebook)), lateModels }
    // Another tab may have fetched it by then.
    return { codebookComing: async () => (await withModels(ownCodebook(onProgress)))!, lateModels }
  }
  const asked =
    source === 'static'
      ? ownCodebook(onProgress)
      : source instanceof URL
        ? codebookAt(source, onProgress)
        : codebookPart().then(({ bytesOf, checkedCodebook }) => checkedCodebook(bytesOf(source)))
  return { codebook: await withModels(asked), lateModels }
}

/** What the file of the ranker's models has. */
type PackedModels = Readonly<Record<Parameters<LateModels>[0], PackedModel>>

/**
 * The ranker's models for memories with a codebook, those beside the library. Without them recall works, a little less
 * well, so nothing fails.
 */
async function ownModels(): Promise<PackedModels | undefined> {
  const known = await kept(RANKER, async (bytes, { hashOf }) =>
    (await hashOf(bytes)) === free.lateDigest ? bytes : undefined,
  )
  const bytes = known ?? (await (await codebookPart()).fetchModels(rankerUrl(), free.lateDigest))
  if (known === undefined && bytes !== undefined) keep(RANKER, bytes)
  return bytes && (JSON.parse(decodeUtf8(bytes)) as PackedModels)
}

/** The one beside the library: it is known by its id, so a copy that was kept is as good as a new one. */
async function ownCodebook(onProgress?: OnOpenProgress): Promise<Codebook> {
  return (await keptOwn()) ?? fetched(codebookUrl(), OWN, onProgress)
}

async function keptOwn(): Promise<Codebook | undefined> {
  const known = await keptCodebook(OWN)
  return known?.id === BUILT_CODEBOOK ? known : undefined
}

/** What is at a URL may change, so it is asked first; if it does not answer, what it gave the last time will do. */
async function codebookAt(url: URL, onProgress?: OnOpenProgress): Promise<Codebook> {
  try {
    return await fetched(url, url.href, onProgress)
  } catch (error) {
    const known = await keptCodebook(url.href)
    if (known === undefined) throw error
    return known
  }
}

async function fetched(url: URL, name: string, onProgress?: OnOpenProgress): Promise<Codebook> {
  const { checkedCodebook, fetchCodebook } = await codebookPart()
  const bytes = await fetchCodebook(url, onProgress)
  const codebook = await checkedCodebook(bytes)
  keep(name, bytes)
  return codebook
}

/**
 * Keeps a file. Nobody waits for it, and where nothing is kept (a page that was not sent securely, a private window, a
 * full disk) everything works as well.
 */
function keep(name: string, bytes: Uint8Array<ArrayBuffer>): void {
  const put = async () => (await caches.open(CACHE)).put(new URL(name, location.origin), new Response(bytes))
  put().catch(() => {})
}

function keptCodebook(name: string): Promise<Codebook | undefined> {
  return kept(name, (bytes, { checkedCodebook }) => checkedCodebook(bytes))
}

/** What is kept under a name; `undefined` when nothing is, or nothing of use: then it is fetched anew. */
async function kept<T>(
  name: string,
  read: (bytes: Uint8Array<ArrayBuffer>, part: Awaited<ReturnType<typeof codebookPart>>) => Promise<T>,
): Promise<T | undefined> {
  try {
    const response = await (await caches.open(CACHE)).match(new URL(name, location.origin))
    return response && (await read(new Uint8Array(await response.arrayBuffer()), await codebookPart()))
  } catch {
    return undefined
  }
}
