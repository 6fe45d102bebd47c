import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { outcomeOf, scratch, type Outcome } from '../slow/cli/agidb.js'

const files = scratch()

/** Runs a bench with arguments and further environment variables. */
function bench(name: string, args: readonly string[], variables: NodeJS.ProcessEnv = {}): Promise<Outcome> {
  const command = ['--import', 'tsx', fileURLToPath(new URL(`../../bench/${name}.ts`, import.meta.url)), ...args]
  const env = { ...process.env, NO_COLOR: '1', ...variables }
  return outcomeOf(spawn(process.execPath, command, { env, stdio: ['ignore', 'pipe', 'pipe'] }))
}

describe('a bench', () => {
  test.each(['recall', 'speed', 'floors'])('%s explains itself with --help', async (name) => {
    const { code, out, err } = await bench(name, ['--help'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain(`npm run bench:${name}`)
  })

  test.each([
    ['an unknown option', 'recall', ['--dta', 'x'], "Unknown option '--dta'; --help lists the options"],
    ['a missing folder', 'recall', ['--data', files.path('none')], 'there is no file or folder'],
    ['a folder without conversations', 'recall', ['--data', files.path('.')], 'takes LoCoMo-shaped json'],
    ['questions without a transcript', 'recall', ['--questions', 'q.json'], 'both --transcript FILE.jsonl'],
    ['an unknown codebook', 'recall', ['--codebook', 'big'], 'known: static, none'],
    ['an unknown section', 'speed', ['--only', 'everything'], 'known are kernel, workers'],
  ])('answers %s with a sentence', async (_, name, args, sentence) => {
    const { code, err } = await bench(name, args)
    expect(err).toContain(sentence)
    expect(err).not.toMatch(/^\s+at /m)
    expect(code).toBe(2)
  })

  test('that finds no browser says how to install one', async () => {
    const { code, err } = await bench('speed', ['--only', 'chromium'], { CHROMIUM: files.path('no-browser') })
    expect(err).toContain('the environment variable CHROMIUM names')
    expect(err).not.toMatch(/^\s+at /m)
    expect(code).toBe(2)
  })
})
