import { readFileSync } from 'node:fs'
import { expect } from '@playwright/test'
import { test } from './profile.js'
import { serveSources } from './serve-sources.js'

const page = readFileSync(new URL('../docs/floors.md', import.meta.url), 'utf8')
const [, code] = /```ts\n([\s\S]*?)```/.exec(page)!
const [, said] = /It prints\n\n```\n([\s\S]*?)```/.exec(page)!

test('the worked example of the floors prints what it says, in a page', async ({ context }) => {
  const server = await serveSources()
  try {
    const tab = await context.newPage()
    await tab.goto(`${server.url}/e2e/pages/library.html`)
    await tab.waitForFunction(() => typeof window.library === 'object')
    const printed: string[] = []
    const failed = new Promise<never>((_, reject) => tab.on('pageerror', reject))
    tab.on('console', (message) => printed.push(message.text()))
    await tab.addScriptTag({
      type: 'module',
      content: `${code.replace("'agidb'", "'/src/runtimes/browser/index.ts'")}\nglobalThis.example = 'over'`,
    })
    await Promise.race([failed, tab.waitForFunction(() => 'example' in globalThis)])
    expect(printed.filter((line) => !line.startsWith('[vite]'))).toEqual(said.trimEnd().split('\n'))
  } finally {
    await server.close()
  }
})
