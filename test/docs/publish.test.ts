import { readFileSync } from 'node:fs'
import { load } from 'js-yaml'
import { expect, test } from 'vitest'

interface Job {
  readonly needs?: string
  readonly permissions?: Readonly<Record<string, string>>
  readonly steps: readonly { readonly run?: string }[]
}

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const { jobs } = load(read('.github/workflows/publish.yml')) as { readonly jobs: Readonly<Record<string, Job>> }
const commands = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []))

test('the workflow that publishes runs scripts that there are', () => {
  const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Readonly<Record<string, string>> }
  const run = commands.flatMap((command) =>
    [...command.matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, name]) => name),
  )
  expect(run).toEqual(['size', 'build'])
  for (const name of run) expect(scripts).toHaveProperty(name)
  expect(commands).toContain('bash .ci/run')
})

test('it publishes with provenance, and only what was tested', () => {
  const { needs, permissions, steps } = jobs['publish']
  expect(needs).toBe('verify')
  expect(permissions).toEqual({ contents: 'read', 'id-token': 'write' })
  expect(steps.at(-1)!.run).toBe('npm publish --provenance --access public')
})
