import { expect } from '@playwright/test'
import { test } from './profile.js'
import { serve } from './serve.js'

/** What docs/threat-model.md recommends. */
const POLICY = "script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; object-src 'none'; base-uri 'none'"

let server: Awaited<ReturnType<typeof serve>>
test.beforeAll(async () => {
  server = await serve({ 'Content-Security-Policy': POLICY })
})

test('the library works under a strict content security policy, in the page and in its workers', async ({
  context,
}) => {
  const page = await context.newPage()
  const violations: string[] = []
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) violations.push(message.text())
  })
  await page.addInitScript(() => {
    const seen: string[] = []
    Object.assign(window, { violations: seen })
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      seen.push(`${violatedDirective}: ${blockedURI}`),
    )
  })
  const response = await page.goto(`${server.url}/e2e/pages/library.html`)
  expect(response!.headers()['content-security-policy']).toBe(POLICY)
  await page.waitForFunction(() => typeof window.library === 'object')

  const done = await page.evaluate(async () => {
    const db = await window.library.open({ name: 'csp' })
    await db.observe('Sarah recommended Bawri, a thai place in Bandra.')
    const { matches } = await db.recall('what thai place was mentioned?')
    const bytes = await new Response(await db.export({ passphrase: 'secret' })).blob()
    const report = await db.import(bytes, { passphrase: 'secret', replace: true })
    const { kernel } = await db.stats()
    await db.close()
    return { best: matches[0].text, episodes: report.episodes, kernel }
  })
  expect(done).toEqual({ best: 'Sarah recommended Bawri, a thai place in Bandra.', episodes: 1, kernel: 'wasm-simd' })
  const seen = () => page.evaluate(() => (window as unknown as { violations: string[] }).violations)
  expect([...(await seen()), ...violations]).toEqual([])

  // The policy is in force, or the test would mean nothing.
  await page.evaluate(() => {
    const script = document.createElement('script')
    script.textContent = 'window.ran = true'
    document.body.append(script)
  })
  await expect.poll(seen).toEqual([expect.stringContaining('script-src')])
  expect(await page.evaluate(() => 'ran' in window)).toBe(false)
})

test('a policy that forbids WebAssembly is named in stats() and once on the console, and the memory works', async ({
  context,
}) => {
  const strict = await serve({ 'Content-Security-Policy': POLICY.replace(" 'wasm-unsafe-eval'", '') })
  const page = await context.newPage()
  const warnings: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'warning' && message.text().startsWith('agidb:')) warnings.push(message.text())
  })
  await page.goto(`${strict.url}/e2e/pages/library.html`)
  await page.waitForFunction(() => typeof window.library === 'object')
  const done = await page.evaluate(async () => {
    const db = await window.library.open({ storage: 'memory', codebook: 'none' })
    await db.observe('Sarah recommended Bawri, a thai place in Bandra.')
    const { matches } = await db.recall('what thai place was mentioned?')
    const { kernel, opening } = await db.stats()
    await db.close()
    return { best: matches[0].text, kernel, said: opening.find(({ kind }) => kind === 'slow-kernel')?.message }
  })
  const said = expect.stringContaining("add 'wasm-unsafe-eval' to script-src")
  expect(done).toEqual({ best: 'Sarah recommended Bawri, a thai place in Bandra.', kernel: 'reference', said })
  expect(warnings).toEqual([said])
})

test('an export crosses from one browser database to another, in pieces and after a reload', async ({ context }) => {
  const page = await context.newPage()
  await page.goto(`${server.url}/e2e/pages/library.html`)
  await page.waitForFunction(() => typeof window.library === 'object')
  const episodes = await page.evaluate(async () => {
    const from = await window.library.open({ name: 'from' })
    await from.observeMany(window.library.observations(600, 'n'))
    await from.setGoal({ description: 'carry it all' })
    const to = await window.library.open({ name: 'to' })
    await to.observe('It was here before.')
    const refused = await window.library.failure(to.import(await from.export()))
    await to.import(await from.export(), { replace: true })
    await to.observe('It goes on.')
    await from.close()
    await to.close()
    return refused?.code
  })
  expect(episodes).toBe('AGIDB_NOT_EMPTY')
  await page.reload()
  await page.waitForFunction(() => typeof window.library === 'object')
  const again = await page.evaluate(async () => {
    const db = await window.library.open({ name: 'to' })
    const { episodes, goals, opening } = await db.stats()
    await db.close()
    return { episodes, goals, opening }
  })
  expect(again).toEqual({ episodes: 601, goals: 1, opening: [] })
})
