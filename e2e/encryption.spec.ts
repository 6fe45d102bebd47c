import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type BrowserContext } from '@playwright/test'
import { test as base } from './profile.js'
import { serve } from './serve.js'

/** What the profile of a browser holds of an encrypted memory. */

const MARKER = 'zebrafish-marker-of-an-encrypted-memory'

const test = base.extend<{ profile: string; start: () => Promise<BrowserContext> }>({
  profile: async ({ launchOptions: _ }, use) => {
    const profile = await mkdtemp(join(tmpdir(), 'agidb-profile-'))
    await use(profile)
    await rm(profile, { recursive: true, force: true, maxRetries: 5 })
  },
  start: async ({ playwright, launchOptions, profile }, use) => {
    let context: BrowserContext | undefined
    await use(async () => (context = await playwright.chromium.launchPersistentContext(profile, launchOptions)))
    await context?.close()
  },
})

let server: Awaited<ReturnType<typeof serve>>

test.beforeAll(async () => {
  server = await serve()
})
test.afterAll(() => server.close())

/** The files of a profile that hold the marker, in UTF-8 or UTF-16. */
async function found(profile: string): Promise<string[]> {
  const entries = (await readdir(profile, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  const names: string[] = []
  for (const { parentPath, name } of entries) {
    // A file may go while the browser ends.
    const bytes = await readFile(join(parentPath, name)).catch(() => Buffer.alloc(0))
    if (bytes.includes(MARKER) || bytes.includes(Buffer.from(MARKER, 'utf16le'))) names.push(name)
  }
  return names
}

for (const encryption of ['none', 'keys-beside'] as const) {
  const where = encryption === 'none' ? 'somewhere' : 'nowhere'
  test(`with encryption: '${encryption}' what was said stands ${where} in the profile`, async ({ profile, start }) => {
    const context = await start()
    const page = await context.newPage()
    await page.goto(`${server.url}/e2e/pages/library.html`)
    await page.waitForFunction(() => typeof window.library === 'object')
    const answer = await page.evaluate(
      async ([marker, encryption]) => {
        const open = () => window.library.open({ name: 'secret', codebook: 'none', encryption })
        const db = await open()
        await db.observe(`the ${marker} is in the tank`, { session: `session of ${marker}`, speaker: marker })
        await db.flush()
        await db.close()
        const again = await open()
        const { matches } = await again.recall('tank')
        const { kind } = (await again.stats()).encryption
        await again.close()
        return { kind, texts: matches.map(({ text }) => text) }
      },
      [MARKER, encryption] as const,
    )
    expect(answer).toEqual({ kind: encryption, texts: [`the ${MARKER} is in the tank`] })
    await context.close()
    const files = await found(profile)
    if (encryption === 'none') expect(files.length).toBeGreaterThan(0)
    else expect(files).toEqual([])
  })
}
