import { BUILT_CODEBOOK } from './built.js'
import type { Codebook } from './codebook.js'
import { checkedCodebook, fetchCodebook, loadCodebook, type CodebookSource } from './load.js'

/** The cache, and the library's own codebook in it: by a name that stays, since its URL changes whenever a page is built. */
const CACHE = 'agidb-codebook'
const OWN = '/agidb/codebook.bin'

/** A codebook, or how it will be had; neither when none is wanted. */
export interface CodebookHere {
  readonly codebook?: Codebook
  /** Fetches the one beside the library. Rejects when it cannot be had. */
  readonly codebookComing?: () => Promise<Codebook>
}

/**
 * The codebook of a page. Everything works without it, a little less well, so nobody waits for the one beside the library: it is here
 * if it was fetched before, or it comes later. One that was asked for must be there. What was fetched is kept in the Cache API, for
 * pages without a network.
 *
 * @param source what the caller asked for, if anything
 * @throws AgidbError as {@link loadCodebook}, for a codebook that was asked for
 */
export async function codebookHere(source: CodebookSource | undefined): Promise<CodebookHere> {
  if (source === undefined) {
    const codebook = await keptOwn()
    // Another tab may have fetched it by then.
    return codebook === undefined ? { codebookComing: ownCodebook } : { codebook }
  }
  if (source === 'static') return { codebook: await ownCodebook() }
  if (source instanceof URL) return { codebook: await codebookAt(source) }
  return { codebook: await loadCodebook(source) }
}

/** The one beside the library: it is known by its id, so a copy that was kept is as good as a new one. */
async function ownCodebook(): Promise<Codebook> {
  return (await keptOwn()) ?? fetched('static', OWN)
}

async function keptOwn(): Promise<Codebook | undefined> {
  const kept = await keptCodebook(OWN)
  return kept?.id === BUILT_CODEBOOK ? kept : undefined
}

/** What is at a URL may change, so it is asked first; if it does not answer, what it gave the last time will do. */
async function codebookAt(url: URL): Promise<Codebook> {
  try {
    return await fetched(url, url.href)
  } catch (error) {
    const kept = await keptCodebook(url.href)
    if (kept === undefined) throw error
    return kept
  }
}

async function fetched(source: 'static' | URL, name: string): Promise<Codebook> {
  const bytes = await fetchCodebook(source)
  const codebook = await checkedCodebook(bytes)
  // Nobody waits for it, and where nothing is kept (a private window, a full disk) it works as well.
  void keep(name, bytes).catch(() => {})
  return codebook
}

/** The Cache API is there in pages that were sent securely only. */
async function keep(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  await (await caches.open(CACHE)).put(new URL(name, location.origin), new Response(bytes))
}

/** `undefined` when nothing is kept under this name, or nothing of use: then it is fetched anew. */
async function keptCodebook(name: string): Promise<Codebook | undefined> {
  try {
    const response = await (await caches.open(CACHE)).match(new URL(name, location.origin))
    return response && (await checkedCodebook(new Uint8Array(await response.arrayBuffer())))
  } catch {
    return undefined
  }
}
