import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { build, preview } from 'vite'
import { buildParts } from '../tools/build-parts.js'
import type { Observation } from '../src/api/episode.js'
import type { Background } from './extraction/background.js'
import type { ForgetTimes } from './forget/times.js'
import { heapOf } from './chromium/heap.js'
import type { Contender } from './race.js'
import { quantile, type Section } from './section.js'
import type { Ingested } from './sizes/ingest.js'
import type { Measured } from './sizes/measured.js'
import { launchChromium } from './browser.js'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** A page apart from all others has a clock of 5 µs, any other one of 100. */
const PRECISE = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' }

/**
 * Observing, recalling and opening again in a real Chromium: the built library, its worker, OPFS and IndexedDB on disk.
 */
export function chromiumEndToEnd(questions: readonly string[]): Promise<Section> {
  return served((url, profile) => measure(url, profile, questions))
}

/** Consolidating the transcript there, alone and with recalls before and meanwhile; all in milliseconds. */
export function chromiumConsolidation(cues: readonly string[], pauseMs: number) {
  return served(async (url, profile) => {
    const alone = await inBrowser(url, profile, (page) => page.evaluate(() => window.bench.consolidate([], 0)))
    const asked = await inBrowser(url, `${profile}-2`, (page) =>
      page.evaluate(([cues, pause]) => window.bench.consolidate(cues, pause), [cues, pauseMs] as const),
    )
    return { ...asked, alone: alone.elapsedMs }
  })
}

/** Forgetting there a session and single episodes of so many turns. */
export function chromiumForgetting(count: number, consolidated: boolean): Promise<ForgetTimes> {
  return served((url, profile) =>
    inBrowser(url, profile, (page) =>
      page.evaluate(([count, consolidated]) => window.bench.forget(count, consolidated), [
        count,
        consolidated,
      ] as const),
    ),
  )
}

/**
 * A memory of `count` grown turns there: observed in one browser, opened, asked and measured in another, and MiniSearch
 * asked the same in a third.
 */
export function chromiumGrown(source: readonly Observation[], count: number, queries: number): Promise<Measured> {
  return served(async (url, profile) => {
    const filled = await inBrowser(url, profile, (page) =>
      page.evaluate(([source, count, queries]) => window.bench.grow(source, count, queries), [
        source,
        count,
        queries,
      ] as const),
    )
    const asked = await inBrowser(url, profile, async (page) => ({
      ...(await page.evaluate((questions) => window.bench.ask(questions), filled.questions)),
      ...(await heapOf(page)),
    }))
    const miniSearch = await inBrowser(url, profile, (page) =>
      page.evaluate(([source, count, questions]) => window.bench.miniSearch(source, count, questions), [
        source,
        count,
        filled.questions,
      ] as const),
    )
    return { ...filled, ...asked, ...(miniSearch !== undefined && { miniSearch }) }
  })
}

/** Texts read there for statements, behind observing and asking. */
export function chromiumExtraction(texts: readonly Observation[], cues: readonly string[]): Promise<Background> {
  return served((url, profile) =>
    inBrowser(url, profile, (page) =>
      page.evaluate(([texts, cues]) => window.bench.extract(texts, cues), [texts, cues] as const),
    ),
  )
}

/** Turns observed there as fast as it goes, and single ones. */
export function chromiumIngest(source: readonly Observation[], count: number, singles: number): Promise<Ingested> {
  return served((url, profile) =>
    inBrowser(url, profile, (page) =>
      page.evaluate(([source, count, singles]) => window.bench.ingest(source, count, singles), [
        source,
        count,
        singles,
      ] as const),
    ),
  )
}

/**
 * The scans of a kernel in a worker there, to race with what this program runs: they stay ready while they are used.
 */
export function chromiumScans<T>(
  signatures: number,
  use: (contenders: readonly Contender[]) => Promise<T>,
): Promise<T> {
  return served(
    (url, profile) =>
      inBrowser(url, profile, async (page) => {
        const names = await page.evaluate((signatures) => window.bench.scans(signatures), signatures)
        return use(
          names.map((name, contender) => ({
            name,
            run: (query) =>
              page.evaluate(([contender, query]) => window.bench.scan(contender, query), [contender, query] as const),
          })),
        )
      }),
    PRECISE,
  )
}

/** Builds the page and serves it while it is used, with the path of a new profile. */
async function served<T>(
  use: (url: string, profile: string) => Promise<T>,
  headers: Record<string, string> = {},
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'agidb-bench-'))
  const settings = { root: here('chromium'), base: './', configFile: false, logLevel: 'error' } as const
  const output = { outDir: join(folder, 'site'), rolldownOptions: { input: here('chromium/page.html') } }
  await buildParts()
  await build({ ...settings, build: { ...output, target: 'es2022' }, worker: { format: 'es' } })
  const server = await preview({ ...settings, build: output, preview: { host: '127.0.0.1', port: 0, headers } })
  try {
    return await use(server.resolvedUrls!.local[0], join(folder, 'profile'))
  } finally {
    await server.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function measure(url: string, profile: string, questions: readonly string[]): Promise<Section> {
  // A browser of its own for each, so that nothing is left of the last one but what is on disk.
  const observed = await inBrowser(url, profile, (page) => page.evaluate(() => window.bench.observe()))
  const codebook = await inBrowser(url, profile, (page) => page.evaluate(() => window.bench.codebook()))
  const opened = await inBrowser(url, profile, (page) => page.evaluate((cue) => window.bench.reopen(cue), questions[0]))
  const { version, recalls } = await inBrowser(url, profile, async (page) => ({
    version: page.context().browser()?.version() ?? '',
    recalls: await page.evaluate((cues) => window.bench.recall(cues, 5), questions),
  }))
  return {
    title:
      `Chromium ${version}, ${observed.observed} utterances through the worker (${observed.kernel}, ` +
      `${observed.durability}, codebook ${observed.codebook}, ranker ${observed.ranker})`,
    rows: [
      { name: 'observeMany, durable', value: observed.elapsedMs, unit: 'ms' },
      { name: 'observeMany, durable', value: (1000 * observed.observed) / observed.elapsedMs, unit: '/s' },
      { name: 'codebook from cache', value: codebook, unit: 'ms' },
      { name: 'open again, to the first answer', value: opened, unit: 'ms' },
      { name: 'recall of ten, p50', value: quantile(recalls, 0.5), unit: 'ms' },
      { name: 'recall of ten, p95', value: quantile(recalls, 0.95), unit: 'ms' },
    ],
  }
}

async function inBrowser<T>(url: string, profile: string, run: (page: Page) => Promise<T>): Promise<T> {
  const context = await launchChromium(profile)
  try {
    const page = await context.newPage()
    await page.goto(new URL('page.html', url).href)
    await page.waitForFunction(() => typeof window.bench === 'object')
    return await run(page)
  } finally {
    await context.close()
  }
}
