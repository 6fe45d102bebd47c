import { fileURLToPath } from 'node:url'
import { serveFolder } from '../test/package/site.js'
import { builtPages } from './build-pages.js'
import { serveSources } from './serve-sources.js'

/** What is run is recorded by source: `npm run coverage:storage`. */
const isRecorded = process.env['AGIDB_COVERAGE'] !== undefined

const sites = new Map<string, Promise<{ readonly url: string }>>()

/**
 * The pages of `e2e/pages`, built, on a free port of this machine, with the files of this repository beside them:
 * `/e2e/pages/library.html`. There is one server for all tests that ask for the same headers; it ends with the process.
 *
 * @param headers sent with everything
 */
export function serve(headers: Record<string, string> = {}): Promise<{ readonly url: string }> {
  const key = JSON.stringify(headers)
  const site = sites.get(key) ?? (isRecorded ? serveSources(headers) : serveBuilt(headers))
  sites.set(key, site)
  return site
}

async function serveBuilt(headers: Record<string, string>): Promise<{ readonly url: string }> {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const { origin } = await serveFolder([await builtPages(), root], headers)
  return { url: origin }
}
