import { existsSync } from 'node:fs'
import { chromium, type BrowserContext } from 'playwright-core'
import { UsageError } from './command.js'

const INSTALL = 'apt-get install chromium, or npx playwright install chromium'

/**
 * Starts Chromium: the one that the environment variable CHROMIUM names, Debian's, or Playwright's own.
 *
 * @throws UsageError when there is none.
 */
export function launchChromium(profile: string): Promise<BrowserContext> {
  const executablePath = chromiumPath()
  return chromium.launchPersistentContext(profile, {
    executablePath,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })
}

function chromiumPath(): string {
  const named = process.env['CHROMIUM']
  if (named !== undefined && !existsSync(named)) {
    throw new UsageError(`the environment variable CHROMIUM names ${named}, which is not there; correct or unset it`)
  }
  const places = [named, '/usr/bin/chromium', chromium.executablePath()]
  const path = places.find((place) => place !== undefined && existsSync(place))
  if (path === undefined) {
    throw new UsageError(
      `this bench needs Chromium and finds none; install it (${INSTALL}), or leave the browser out ` +
        '(bench:speed: --places node, or --only without chromium)',
    )
  }
  return path
}
