import { mkdirSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answer, serve, type TestServer } from '../../unit/http/server.js'
import { agidb, agidbWith, scratch } from './agidb.js'

const files = scratch()
const chat = files.write(
  'chat.txt',
  Array.from({ length: 12 }, (_, i) => `Tom: Thai place number ${i} is in street ${i}.\n`).join(''),
)
const db = files.path('memory')
const wire = (err: string) => (JSON.parse(err) as { error: { code: string; message: string } }).error
const matches = (out: string) => (JSON.parse(out) as { matches: unknown[] }).matches.length

beforeAll(async () => {
  const { code, err } = await agidbWith({ AGIDB_DATA_DIR: db }, 'remember', chat, '--extract', 'none')
  expect([code, err]).toEqual([0, ''])
})

describe('the configuration of the command line', () => {
  test('names the memory; --db wins over it', async () => {
    const own = await agidbWith({ AGIDB_DATA_DIR: db }, 'stats', '--json')
    expect(own.out).toContain('"episodes": 12')
    expect((await agidbWith({ VECLAYER_DATA_DIR: db }, 'stats', '--json')).out).toContain('"episodes": 12')
    const typed = await agidbWith({ AGIDB_DATA_DIR: db }, 'stats', '--json', '--db', files.path('nowhere'))
    expect(wire(typed.err).code).toBe('AGIDB_NOT_FOUND')
    expect(wire((await agidb('stats', '--json')).err).message).toContain('./agidb-data')
  })

  test('says how many memories a recall gives; -k wins over it', async () => {
    const ask = ['recall', 'which thai place?', '--db', db, '--json', '--no-fold']
    expect(matches((await agidb(...ask)).out)).toBe(10)
    expect(matches((await agidbWith({ AGIDB_SEARCH_TOP_K: '3' }, ...ask)).out)).toBe(3)
    expect(matches((await agidbWith({ AGIDB_SEARCH_TOP_K: '3' }, ...ask, '-k', '4')).out)).toBe(4)
    const config = files.write('k.toml', 'search_top_k = 2')
    expect(matches((await agidbWith({ AGIDB_CONFIG: config }, ...ask)).out)).toBe(2)
  })

  test('says how many entries a search gives, and how many children', async () => {
    const own = files.path('documents')
    const sections = Array.from({ length: 9 }, (_, i) => `## Part ${i}\n\nHow a harbour is built, step ${i}.\n`)
    const page = files.write('page.md', `# Harbours\n\nHow a harbour is built.\n\n${sections.join('\n')}`)
    expect((await agidb('add', page, '--db', own)).err).toBe('')
    const ask = ['search', 'how is a harbour built?', '--db', own, '--json']
    const lengths = (out: string) => {
      const found = JSON.parse(out) as { children: unknown[] }[]
      return [found.length, Math.max(...found.map(({ children }) => children.length))]
    }
    expect(lengths((await agidb(...ask)).out)).toEqual([5, 0])
    const both = { AGIDB_SEARCH_TOP_K: '7', AGIDB_SEARCH_CHILDREN_K: '1', AGIDB_READ_ONLY: 'true' }
    expect(lengths((await agidbWith(both, ...ask)).out)).toEqual([7, 1])
    expect(lengths((await agidbWith(both, ...ask, '-k', '2')).out)[0]).toBe(2)
  })

  test('that says read only refuses what would change the memory, and lets it be asked', async () => {
    const only = { AGIDB_READ_ONLY: 'true' }
    expect(matches((await agidbWith(only, 'recall', 'thai', '--db', db, '--json')).out)).toBeGreaterThan(0)
    const fresh = files.path('fresh')
    for (const command of [
      ['remember', chat, '--db', db],
      ['remember', chat, '--db', fresh],
      ['import', chat, '--db', fresh],
      ['add', chat, '--db', fresh],
      ['verify', '--repair', '--db', db],
    ]) {
      const { code, err } = await agidbWith(only, ...command, '--json')
      expect(code).toBe(1)
      expect(wire(err)).toMatchObject({ code: 'AGIDB_READ_ONLY', message: expect.stringContaining('AGIDB_READ_ONLY') })
    }
    expect(wire((await agidb('stats', '--db', fresh, '--json')).err).code).toBe('AGIDB_NOT_FOUND')
    expect((await agidb('stats', '--db', db, '--json')).out).toContain('"episodes": 12')
  })

  test('that is wrong is refused before anything is done', async () => {
    const config = files.write('wrong.toml', 'port = 1\nreadonly = true\n')
    const { code, err } = await agidbWith({ AGIDB_CONFIG: config }, 'stats', '--db', db, '--json')
    expect(code).toBe(2)
    expect(wire(err)).toMatchObject({
      code: 'AGIDB_CONFIG',
      details: { file: config, line: 2, key: 'readonly' },
    })
    expect((await agidbWith({ AGIDB_CONFIG: config }, 'stats', '--help')).code).toBe(0)
  })
})

describe('an encoder of the configuration', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await serve(({ body }, response) =>
      answer(response, { embeddings: (body.input as string[]).map((text) => [text.length, 3, 4]) }),
    )
  })
  afterAll(() => server.close())

  test('encodes what is remembered before the command ends, and the cue of a recall', async () => {
    const own = files.path('encoded')
    mkdirSync(own)
    files.write('encoded/agidb.toml', `[embedder]\ntype = "ollama"\nmodel = "m"\nbase_url = "${server.url}"\n`)
    const { code, err } = await agidb('remember', chat, '--db', own, '--extract', 'none')
    expect([code, err]).toEqual([0, ''])
    const inputs = () => server.received.flatMap(({ body }) => body.input as string[])
    expect(inputs().filter((text) => text.includes('Thai place')).length).toBeGreaterThanOrEqual(12)
    const { out } = await agidb('recall', 'which thai place?', '--db', own, '--trace', '--json')
    expect(out).toContain('"sentence": "used"')
    expect(inputs()).toContain('which thai place?')
  })

  test('whose server does not answer is done without, and said', async () => {
    const away = { AGIDB_EMBEDDER: 'ollama', AGIDB_OLLAMA_URL: 'http://127.0.0.1:9' }
    const { code, out, err } = await agidbWith(away, 'recall', 'which thai place?', '--db', db, '--json')
    expect(code).toBe(0)
    expect(matches(out)).toBe(10)
    expect(err).toContain('the memory is used without it')
  })
})

test('a reflection asks the model of the configuration; a key of the file goes to the server of the file', async () => {
  const thought = JSON.stringify({ narrative: 'I read of harbours.', consolidations: [], learnings: [] })
  const reply = { message: { content: thought }, choices: [{ message: { content: thought } }] }
  const [own, typed] = await Promise.all([1, 2].map(() => serve((_, response) => answer(response, reply))))
  try {
    const memory = files.path('reflecting')
    const page = files.write('harbour.md', '# Harbours\n\nHow a harbour is built.\n')
    expect((await agidb('add', page, '--db', memory)).code).toBe(0)
    const config = files.write(
      'llm.toml',
      `[llm]\nprovider = "openai"\nmodel = "m"\nbase_url = "${own.url}"\napi_key = "sk-file"`,
    )
    const reflect = (...more: string[]) =>
      agidbWith({ AGIDB_CONFIG: config }, 'think', 'reflect', '--db', memory, ...more)
    expect((await reflect()).out).toContain('I read of harbours.')
    expect(own.received[0]).toMatchObject({ path: '/v1/chat/completions', body: { model: 'm' } })
    expect(own.received[0].headers.authorization).toBe('Bearer sk-file')
    expect((await reflect('--url', typed.url, '--llm', 'ollama', '--model', 'n')).code).toBe(0)
    expect(typed.received[0]).toMatchObject({ path: '/api/chat', body: { model: 'n' } })
    expect(typed.received[0].headers.authorization).toBeUndefined()
    expect(own.received).toHaveLength(1)
  } finally {
    await Promise.all([own.close(), typed.close()])
  }
})
