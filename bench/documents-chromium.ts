/** How many passages a second a page stores: the documentation of this repository, in Chromium. */
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serve } from '../e2e/serve.js'
import { documentsIn } from '../src/cli/documents-in.js'
import { launchChromium } from './browser.js'
import { commandLine } from './command.js'

const HELP = `
Stores the documentation of this repository in a memory of a page, with the codebook and without it.

  npm run bench:documents-chromium
`
commandLine(HELP, { options: {} })
const root = fileURLToPath(new URL('..', import.meta.url))
const documents = documentsIn([join(root, 'docs')]).map((file) => ({ source: file, text: readFileSync(file, 'utf8') }))

const server = await serve()
const profile = await mkdtemp(join(tmpdir(), 'agidb-documents-'))
const context = await launchChromium(profile)
try {
  const page = await context.newPage()
  await page.goto(`${server.url}/e2e/pages/library.html`)
  await page.waitForFunction(() => typeof window.library === 'object')
  for (const isWith of [false, true]) {
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
      `${isWith ? 'with' : 'without'} codebook: ${added} entries in ${seconds.toFixed(2)} s, ${rate} a second`,
    )
  }
} finally {
  await context.close()
  await server.close()
  await rm(profile, { recursive: true, force: true })
}
process.exit()
