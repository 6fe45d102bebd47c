/**
 * Compiles the example of Tauri on Linux, opens its window, and kills the app as soon as it has remembered something,
 * again and again. Needs `npm run build`, Rust, a display, and on Debian
 * `apt-get install libwebkit2gtk-4.1-dev webkit2gtk-driver xvfb`.
 *
 *     xvfb-run -a npm run test:tauri -- --kills 10
 */
import { spawnSync } from 'node:child_process'
import { cp, mkdtemp, mkdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from 'vite'
import { Window } from './window.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const { values } = parseArgs({ options: { kills: { type: 'string', default: '5' } } })
const kills = Number(values.kills)
/** Compiling anew takes minutes, so that what was compiled stays. */
const target = process.env['CARGO_TARGET_DIR'] ?? join(tmpdir(), 'agidb-tauri-target')
const folder = await mkdtemp(join(tmpdir(), 'agidb-tauri-'))

let window: Window | undefined
try {
  const binary = await compiled()
  for (let round = 0; round <= kills; round++) {
    window = await Window.open(binary, join(folder, 'data'))
    const said = await window.run<string>('return document.querySelector("output").value || null')
    console.log(said)
    if (!said.startsWith(`${round} memories, `)) throw new Error(`${round} memories were acknowledged`)
    const text = `Parcel ${round} went to shelf ${round * 7 + 3}.`
    // The page asks for the text at once after it was remembered.
    const matches = await submitted(window, text)
    if (matches[0] !== text) throw new Error(`"${text}" was not found: ${matches.join()}`)
    await window.kill()
  }
  console.log(`${kills} kills, and nothing that was acknowledged is missing`)
} finally {
  await window?.kill()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}

/** The example as an app with its page inside. */
async function compiled(): Promise<string> {
  const example = join(folder, 'app')
  await cp(join(ROOT, 'examples/tauri'), example, { recursive: true })
  await mkdir(join(example, 'node_modules'))
  await symlink(ROOT, join(example, 'node_modules/agidb'))
  await symlink(join(ROOT, 'node_modules/vite'), join(example, 'node_modules/vite'))
  const page = join(example, 'page')
  const outDir = join(example, 'dist')
  await build({ root: page, configFile: join(page, 'vite.config.js'), logLevel: 'error', build: { outDir } })
  const args = ['build', '--release', '--features', 'tauri/custom-protocol']
  const cargo = spawnSync('cargo', args, {
    cwd: join(example, 'src-tauri'),
    env: { ...process.env, CARGO_TARGET_DIR: target },
    stdio: 'inherit',
  })
  if (cargo.status !== 0) throw new Error('the app was not compiled', { cause: cargo.error })
  return join(target, 'release/an-app-that-remembers')
}

/** What the page shows once it has remembered a text, or has an answer. */
function submitted(window: Window, text: string): Promise<string[]> {
  return window.run<string[]>(
    `const form = document.querySelector('form')
    if (form.text.value !== arguments[0]) {
      form.text.value = arguments[0]
      document.querySelector('ol').replaceChildren()
      form.requestSubmit()
    }
    const shown = [...document.querySelectorAll('li')].map(({ textContent }) => textContent)
    return shown.length > 0 ? shown : null`,
    text,
  )
}
