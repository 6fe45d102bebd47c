/** How many passages a second a page stores: Markdown of this repository or of its packages, in Chromium. */
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serveSources } from '../e2e/serve-sources.js'
import { documentsIn } from '../src/cli/documents-in.js'
import { launchChromium } from './browser.js'
import { commandLine } from './command.js'

const HELP = `
Stores documents in a memory of a page, with the codebook and without it: the documentation of this repository.

  npm run bench:documents-chromium -- --packages

--packages   all Markdown of the packages that are installed for development, about 5 MB, with the codebook
`
const { values } = commandLine(HELP, { options: { packages: { type: 'boolean' } } })
const root = fileURLToPath(new URL('..', import.meta.url))

/** Every Markdown file of a folder, in the order of their paths. */
function markdownIn(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true })
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

const files = values.packages ? markdownIn(join(root, 'node_modules')) : documentsIn([join(root, 'docs')])
const documents = files.map((file) => ({ source: file, text: readFileSync(file, 'utf8') }))
const megabytes = documents.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0) / 1e6

const server = await serveSources()
const profile = await mkdtemp(join(tmpdir(), 'agidb-documents-'))
const context = await launchChromium(profile)
try {
  const page = await context.newPage()
  await page.goto(`${server.url}/e2e/pages/library.html`)
  await page.waitForFunction(() => typeof window.library === 'object')
  for (const isWith of values.packages ? [true] : [false, true]) {
    const { added, seconds } = await page.evaluate(
      async ({ documents, isWith }) => {
        const name = isWith ? 'with' : 'without'
        const db = await window.library.open({ name, extract: 'none', ...(!isWith && { codebook: 'none' }) })
        await db.entries.ingest('# Warm-up\n\nThe parser is loaded.', { source: 'warm-up.md' })
        await db.recall('warm-up', { whole: true }) // the codebook is there
        const started = performance.now()
        let added = 0
        for (const { source, text } of documents) added += (await db.entries.ingest(text, { source })).added
        const seconds = (performance.now() - started) / 1000
        await db.close()
        return { added, seconds }
      },
      { documents, isWith },
    )
    const rate = (added / seconds).toFixed(0)
    console.log(
      `${isWith ? 'with' : 'without'} codebook: ${documents.length} documents, ${megabytes.toFixed(2)} MB, ${added} ` +
        `entries in ${seconds.toFixed(2)} s, ${rate} a second, ${(megabytes / seconds).toFixed(3)} MB a second`,
    )
  }
} finally {
  await context.close()
  await server.close()
  await rm(profile, { recursive: true, force: true })
}
process.exit()
