import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const ROOT = new URL('../../../../', import.meta.url)
/** Only the worker itself reads receipts. */
const APART = ['receipt.ts']

test('the parts of a page have the record kinds of its worker, and no copies of their own', () => {
  const kinds = readdirSync(new URL('src/records/kinds', ROOT)).filter((name) => !APART.includes(name))
  const shared = readFileSync(new URL('src/runtimes/browser/shared.ts', ROOT), 'utf8')
  const built = readFileSync(new URL('tools/build-parts.ts', ROOT), 'utf8')
  for (const kind of kinds) {
    expect(shared).toContain(`records/kinds/${kind.replace('.ts', '.js')}'`)
    expect(built).toContain(`'records/kinds/${kind}'`)
  }
})
