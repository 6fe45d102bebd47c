/**
 * What a page fetches before its first answer, gzip level 9, without the codebook: built by Vite with its defaults,
 * opened in Chromium with nothing in any cache. Fails above the limit.
 *
 *     npm run size
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { launchChromium } from '../bench/browser.js'
import { openSite, type Sent } from '../bench/visit/site.js'

/** Bytes that are allowed; to be lowered whenever the page gets smaller. */
const LIMIT = 200_000
const QUESTION = 'what thai place was mentioned?'

const site = await openSite()
const profile = await mkdtemp(join(tmpdir(), 'agidb-size-'))
const context = await launchChromium(profile)
let fetched: readonly Sent[] = []
try {
  const page = await context.newPage()
  await page.exposeFunction(
    'answered',
    () => void (fetched = site.sent.filter(({ path }) => !path.endsWith('.html') && !path.endsWith('/'))),
  )
  await page.goto(site.url)
  await page.waitForFunction(() => typeof window.visit === 'object')
  await page.evaluate((question) => window.visit.run({ codebook: 'none' }, question), QUESTION)
} finally {
  await context.close()
  await rm(profile, { recursive: true, force: true })
  await site.close()
}
for (const { path, bytes } of fetched) console.log(`${String(bytes).padStart(8)}  ${basename(path)}`)
const total = fetched.reduce((sum, { bytes }) => sum + bytes, 0)
console.log(`${String(total).padStart(8)}  bytes in all; at most ${LIMIT} are allowed`)
if (fetched.length === 0 || total > LIMIT) process.exitCode = 1
