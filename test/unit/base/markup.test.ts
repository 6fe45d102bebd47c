import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/**
 * Names of the platform that turn text into markup or code. The text of an episode must never reach one of them;
 * `e2e/page.spec.ts` shows in a browser that it does not.
 */
const SINK_NAMES = [
  'innerHTML',
  'outerHTML',
  'insertAdjacentHTML',
  'setHTMLUnsafe',
  'createContextualFragment',
  'DOMParser',
  'srcdoc',
  String.raw`document\.write(ln)?`,
  'new Function',
]
const SINKS = new RegExp(String.raw`\b(${SINK_NAMES.join('|')})\b|\beval\(`)

test.each(['demo', 'src', 'workers'])('nothing in %s makes markup or code of a text', (folder) => {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter(
    (name) => /\.(ts|js)$/.test(name) && !name.includes('built/') && !name.startsWith('dist/'),
  )
  expect(files.length).toBeGreaterThan(0)
  const found = files.filter((name) =>
    SINKS.test(readFileSync(join(root, folder, name), 'utf8').replace(/^\s*(\/\/|\*|\/\*).*$/gm, '')),
  )
  expect(found).toEqual([])
})
