import { BUILT_CODEBOOK } from './built.js'
import type { Codebook } from './codebook.js'
import { checkedCodebook, fetchCodebook, loadCodebook, type CodebookSource } from './load.js'

/** The cache, and the library's own codebook in it: by a name that stays, since its URL changes whenever a page is built. */
const CACHE = 'agidb-codebook'
const OWN = '/agidb/codebook.bin'

/** Milliseconds for which opening waits for a codebook that was not asked for. */
const PATIENCE_MS = 10_000

/** A codebook, or none and why. */
export interface CodebookHere {
  readonly codebook?: Codebook
  readonly codebookProblem?: string
}

/**
 * The codebook of a page. Without it everything works, a little less well, so the one beside the library is used if it can be
 * had in time; one that was asked for must be there. What was fetched is kept in the Cache API, for pages without a network.
 *
 * @param source what the caller asked for, if anything
 * @throws AgidbError as {@link loadCodebook}, for a codebook that was asked for
 */
export async function codebookHere(source: CodebookSource | undefined): Promise<CodebookHere> {
  if (source === undefined) return inTime(ownCodebook())
  if (source === 'static') return { codebook: await ownCodebook() }
  if (source instanceof URL) return { codebook: await codebookAt(source) }
  return { codebook: await loadCodebook(source) }
}

/** What has not arrived in time goes on loading, and is there at the next opening. */
function inTime(loading: Promise<Codebook>): Promise<CodebookHere> {
  const late = new Promise<CodebookHere>((resolve) => {
    const codebookProblem = `it had not arrived after ${PATIENCE_MS / 1000} s; it goes on loading, for the next opening`
    setTimeout(() => resolve({ codebookProblem }), PATIENCE_MS)
  })
  const arrived = loading.then(
    (codebook) => ({ codebook }),
    (error: unknown) => ({ codebookProblem: error instanceof Error ? error.message : String(error) }),
  )
  return Promise.race([arrived, late])
}

/** The one beside the library: it is known by its id, so a copy that was kept is as good as a new one. */
async function ownCodebook(): Promise<Codebook> {
  const kept = await keptCodebook(OWN)
  if (kept?.id === BUILT_CODEBOOK) return kept
  return fetched('static', OWN)
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
