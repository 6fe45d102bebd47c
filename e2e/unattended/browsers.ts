import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A browser that is started with a page and left alone. */
export interface Browser {
  /** Name and version, or `undefined` when it is not installed. */
  version(): string | undefined
  /** How to install it. */
  readonly install: string
  /** What the library must be able to promise there, in an ordinary window. */
  readonly durability: 'strict' | 'idb-only'
  /**
   * Starts it in a process group of its own. `profile`: a folder, the same one again after a kill. `shy`: in a private
   * window.
   */
  start(url: string, profile: string, shy: boolean): Promise<ChildProcess>
}

/**
 * Nothing but the page: no first-run page, no reports to Mozilla, no looking for updates, no blocker of windows that a
 * script opens.
 */
const FIREFOX_PREFERENCES = {
  'app.normandy.enabled': false,
  'app.shield.optoutstudies.enabled': false,
  'browser.aboutwelcome.enabled': false,
  'browser.safebrowsing.malware.enabled': false,
  'browser.safebrowsing.phishing.enabled': false,
  'browser.sessionstore.resume_from_crash': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.homepage_override.mstone': 'ignore',
  'datareporting.healthreport.uploadEnabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'dom.allow_scripts_to_close_windows': true,
  'dom.disable_open_during_load': false,
  'dom.popup_maximum': -1,
  'extensions.update.enabled': false,
  'media.gmp-manager.updateEnabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,',
  'toolkit.startup.max_resumed_crashes': -1,
  'toolkit.telemetry.enabled': false,
  'toolkit.telemetry.reportingpolicy.firstRun': false,
}

const firefox: Browser = {
  version: () => output(process.env['FIREFOX'] ?? 'firefox-esr', ['--version']),
  install: 'install Firefox, as with `apt-get install firefox-esr` (200 MB), or name one: FIREFOX=/path/to/firefox',
  durability: 'strict',
  async start(url, profile, shy) {
    const preferences = Object.entries({ ...FIREFOX_PREFERENCES, 'browser.privatebrowsing.autostart': shy })
    const lines = preferences.map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
    await writeFile(join(profile, 'user.js'), lines.join(''))
    return alone(process.env['FIREFOX'] ?? 'firefox-esr', ['--headless', '--no-remote', '--profile', profile, url])
  },
}

const WEBKIT = fileURLToPath(new URL('webkit.py', import.meta.url))

/** WebKitGTK, as it comes, in a window of a display that nobody sees. */
const webkit: Browser = {
  version: () => output('/usr/bin/xvfb-run', ['--help']) && output('/usr/bin/python3', [WEBKIT, '--version']),
  install: 'on Debian: apt-get install python3-gi gir1.2-webkit2-4.1 xvfb xauth (200 MB)',
  durability: 'idb-only',
  start: async (url, profile, shy) =>
    alone('xvfb-run', ['--auto-servernum', '/usr/bin/python3', WEBKIT, url, profile, ...(shy ? ['--private'] : [])]),
}

export const BROWSERS: Readonly<Record<string, Browser>> = { firefox, webkit }

function output(command: string, args: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync(command, args, { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

function alone(command: string, args: readonly string[]): ChildProcess {
  const quiet = process.env['AGIDB_BROWSER_OUTPUT'] === undefined
  return spawn(command, args, { detached: true, stdio: quiet ? 'ignore' : 'inherit' })
}
