/** How long a page takes to remember a clip, and to find a picture among many, in Chromium. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import type {} from '../e2e/pages/video-encoder.js'
import { serve } from '../e2e/serve.js'
import { traced } from '../e2e/thread-time.js'
import { SPEECH } from '../test/unit/models/audio/speech.js'
import { LITE0 } from '../test/unit/models/image/lite0.js'
import { launchChromium } from './browser.js'
import { commandLine, UsageError } from './command.js'
import { quantile } from './section.js'

const HELP = `
Remembers a clip of ten seconds with sound, by EfficientNet-Lite0 and Google's speech embedding, and says the longest
task of the page meanwhile. Then remembers pictures, whose latents of 512 numbers are made here at no cost, and looks
for some of them.

  npm run bench:senses-chromium -- [--clips 5] [--pictures 100000] [--questions 200]
`
const { values } = commandLine(HELP, {
  options: {
    clips: { type: 'string', default: '5' },
    pictures: { type: 'string', default: '100000' },
    questions: { type: 'string', default: '200' },
  },
})
const [clips, pictures, questions] = [values.clips, values.pictures, values.questions].map(Number)
if (![clips, pictures, questions].every((number) => Number.isInteger(number) && number >= 0))
  throw new UsageError('--clips, --pictures and --questions take whole numbers')

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const served = (path: unknown) => `/${relative(ROOT, path as string)}`
const COLOURS = ['#dc2828', '#3246dc', '#28aa3c', '#b4a01e', '#8c3cb4']
/** Five scenes of two seconds, each with its tone. */
const SCENES = COLOURS.map((colour, i) => ({
  colour,
  shape: i % 2 === 0 ? ('square' as const) : ('circle' as const),
  ground: i % 2 === 0 ? '#e8e0d0' : '#303840',
  lasts: 2_000,
  tone: 200 * (i + 1),
}))

const { url } = await serve()
const profile = await mkdtemp(join(tmpdir(), 'agidb-senses-'))
const context = await launchChromium(profile)
try {
  const page = await context.newPage()
  // tsx wraps named functions in this one, which a page does not have.
  await page.addInitScript('globalThis.__name = (one) => one')
  await page.goto(`${url}/e2e/pages/video-encoder.html`)
  await page.waitForFunction(() => typeof window.videos === 'object')
  if (clips > 0) await rememberClips(page)
  if (pictures > 0) await findPictures(page)
} finally {
  await context.close()
  await rm(profile, { recursive: true, force: true })
}
process.exit()

async function rememberClips(page: Page): Promise<void> {
  const models = [served(LITE0.model), LITE0.manifest] as const
  const sounds = [served(SPEECH.model), SPEECH.manifest, served(SPEECH.frontEnd)] as const
  const opened = await page.evaluateHandle(
    async ([models, sounds, scenes]) => {
      const { Agidb, recorded, ofScenes } = window.videos
      const { image, video } = await ofScenes(...models, sounds)
      const file = await recorded(scenes)
      const db = await Agidb.open({ name: 'clips', encoders: { image, video } })
      await db.observeMultimodal({ video: file }) // which loads what is loaded once
      return { db, file }
    },
    [models, sounds, SCENES] as const,
  )
  const session = await page.context().newCDPSession(page)
  const seconds: number[] = []
  let longest = 0
  for (let i = 0; i < clips; i++) {
    const { value, tasks } = await traced(session, () =>
      opened.evaluate(async ({ db, file }) => {
        const started = performance.now()
        await db.observeMultimodal({ video: file }, { keep: 'original' })
        return (performance.now() - started) / 1000
      }),
    )
    seconds.push(value)
    longest = Math.max(longest, ...tasks.map(({ cpuMs }) => cpuMs))
  }
  const [median, most] = [quantile(seconds, 0.5), Math.max(...seconds)].map((value) => value.toFixed(2))
  console.log(`a clip of 10 s is remembered in ${median} s, at most ${most} s; ${clips} clips`)
  console.log(`the longest task of the page takes ${longest.toFixed(1)} ms of the processor`)
  await opened.evaluate(({ db }) => db.close())
}

async function findPictures(page: Page): Promise<void> {
  const { seconds, times, right } = await page.evaluate(
    async ([pictures, questions]) => {
      const DIMENSION = 512
      /** A latent for each number, from a generator of Lehmer. */
      const latentOf = (seed: number): Float32Array => {
        let state = seed + 1
        return Float32Array.from({ length: DIMENSION }, () => {
          state = (state * 48_271) % 2_147_483_647
          return state / 2_147_483_647 - 0.5
        })
      }
      const image = {
        modality: 'image' as const,
        id: '5e'.repeat(32),
        dimension: DIMENSION,
        close: async () => {},
        encode: async (inputs: readonly unknown[]) =>
          inputs.map((input) => latentOf(new DataView((input as Uint8Array).slice().buffer).getUint32(0))),
      }
      const pictureOf = (seed: number) => {
        const bytes = new Uint8Array(4)
        new DataView(bytes.buffer).setUint32(0, seed)
        return bytes
      }
      const { Agidb } = window.videos
      const db = await Agidb.open({ name: 'pictures', encoders: { image }, codebook: 'none', extract: 'none' })
      const started = performance.now()
      for (let from = 0; from < pictures; from += 500)
        await Promise.all(
          Array.from({ length: Math.min(500, pictures - from) }, (_, i) =>
            db.observeMultimodal({ latents: { image: latentOf(from + i) } }, { id: `p-${from + i}` }),
          ),
        )
      const seconds = (performance.now() - started) / 1000
      const times: number[] = []
      let right = 0
      for (let i = -20; i < questions; i++) {
        const seed = ((i + 20) * 7_919) % pictures
        const from = performance.now()
        const { matches } = await db.recall(undefined, { image: pictureOf(seed), learn: false })
        if (i < 0) continue // the first ones warm up
        times.push(performance.now() - from)
        if (matches[0]?.id === `p-${seed}`) right++
      }
      await db.close()
      return { seconds, times, right }
    },
    [pictures, questions] as const,
  )
  console.log(`${pictures} pictures are remembered in ${seconds.toFixed(0)} s`)
  const [half, most] = [0.5, 0.95].map((share) => quantile(times, share).toFixed(1))
  console.log(`a picture is found in ${half} ms, p95 ${most} ms; ${right} of ${times.length} first`)
}
