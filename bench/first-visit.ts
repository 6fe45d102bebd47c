/**
 * How long the first visit of a page takes in Chromium with a slow network, with nothing in any cache: until a memory
 * is open, until the first answer, and until an answer with the codebook. `codebook: 'static'` waits for the codebook
 * at opening.
 *
 *     npm run bench:visit
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launchChromium } from './browser.js'
import { openSite } from './visit/site.js'
import { throttle } from './visit/throttle.js'

const RATES = [1.6, 10] as const
const QUESTION = 'what thai place was mentioned?'

const site = await openSite()
console.log('| network | codebook | open, s | first answer, s | answer with the codebook, s |\n|--:|---|--:|--:|--:|')
for (const rate of RATES) {
  for (const codebook of ['static', undefined] as const) {
    const profile = await mkdtemp(join(tmpdir(), 'agidb-visit-'))
    const context = await launchChromium(profile)
    const page = await context.newPage()
    await page.exposeFunction('answered', () => {})
    await page.goto(site.url)
    await page.waitForFunction(() => typeof window.visit === 'object')
    await throttle(page, rate)
    const options = codebook === undefined ? {} : { codebook }
    const { openMs, answerMs, wholeMs } = await page.evaluate(
      ([options, question]) => window.visit.run(options, question),
      [options, QUESTION] as const,
    )
    const seconds = (ms: number) => (ms / 1000).toFixed(1)
    console.log(
      `| ${rate} Mbit/s | ${codebook === undefined ? 'comes later' : 'at opening'} | ${seconds(openMs)} | ` +
        `${seconds(answerMs)} | ${seconds(wholeMs)} |`,
    )
    await context.close()
    await rm(profile, { recursive: true, force: true })
  }
}
await site.close()
