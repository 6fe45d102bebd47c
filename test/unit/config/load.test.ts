import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { AgidbError } from '../../../src/base/errors.js'
import { loadConfiguration } from '../../../src/config/load.js'
import type { Settings } from '../../../src/config/settings.js'

const KEY = 'sk-secret-0123456789'
let cwd: string

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'agidb-config-'))
})
afterEach(() => rmSync(cwd, { recursive: true, force: true }))

function write(name: string, text: string | Uint8Array): string {
  mkdirSync(dirname(join(cwd, name)), { recursive: true })
  writeFileSync(join(cwd, name), text)
  return join(cwd, name)
}
const load = (environment: Record<string, string> = {}, dataDir?: string) =>
  loadConfiguration({ cwd, environment, ...(dataDir !== undefined && { dataDir }) })

function errorOf(environment: Record<string, string> = {}): AgidbError {
  try {
    load(environment)
  } catch (error) {
    expect(error).toBeInstanceOf(AgidbError)
    expect((error as AgidbError).code).toBe('AGIDB_CONFIG')
    expect(JSON.stringify([(error as Error).message, (error as AgidbError).details])).not.toContain(KEY)
    return error as AgidbError
  }
  throw new Error('the configuration was accepted')
}

test('without a file and variables all is as documented', () => {
  expect(load()).toEqual({
    settings: {
      dataDir: './agidb-data',
      embedder: { type: 'codebook' },
      llm: { provider: 'ollama', model: 'llama3.2', baseUrl: 'http://localhost:11434' },
      summarizer: 'extractive',
      host: '127.0.0.1',
      port: 8080,
      searchTopK: 5,
      searchChildrenK: 3,
      readOnly: false,
    } satisfies Settings,
    origins: expect.objectContaining({ port: { kind: 'default' } }),
  })
})

/** Every variable: its name, a value, and what it makes of the settings. */
const VARIABLES: readonly [string, string, object, Record<string, string>?][] = [
  ['DATA_DIR', '/data', { dataDir: '/data' }],
  ['SUMMARIZER', 'none', { summarizer: 'none' }],
  ['EMBEDDER', 'ollama', { embedder: { type: 'ollama', model: 'llama3.2', baseUrl: 'http://localhost:11434' } }],
  ['FASTEMBED_MODEL', '/m/bge', { embedder: { type: 'onnx', model: '/m/bge' } }, { AGIDB_EMBEDDER: 'fastembed' }],
  ['OLLAMA_MODEL', 'bge', { embedder: { type: 'ollama', model: 'bge' } }, { AGIDB_EMBEDDER: 'ollama' }],
  ['OLLAMA_URL', 'http://gpu:1', { embedder: { baseUrl: 'http://gpu:1' } }, { AGIDB_EMBEDDER: 'ollama' }],
  ['OPENAI_MODEL', 'bge', { embedder: { type: 'openai', model: 'bge' } }, { AGIDB_EMBEDDER: 'openai' }],
  ['OPENAI_URL', 'http://gpu:1', { embedder: { baseUrl: 'http://gpu:1' } }, { AGIDB_EMBEDDER: 'openai' }],
  ['OPENAI_API_KEY', KEY, { embedder: { apiKey: KEY } }, { AGIDB_EMBEDDER: 'openai' }],
  ['EMBEDDER_DIMENSIONS', '256', { embedder: { dimensions: 256 } }, { AGIDB_EMBEDDER: 'openai' }],
  ['LLM_PROVIDER', 'openai', { llm: { provider: 'openai', baseUrl: 'https://api.openai.com/v1' } }],
  ['LLM_MODEL', 'gpt', { llm: { model: 'gpt' } }],
  ['LLM_BASE_URL', 'http://gpu:1/v1', { llm: { baseUrl: 'http://gpu:1/v1' } }],
  ['LLM_API_KEY', KEY, { llm: { apiKey: KEY } }],
  ['HOST', '0.0.0.0', { host: '0.0.0.0' }],
  ['PORT', '0', { port: 0 }],
  ['SEARCH_TOP_K', '7', { searchTopK: 7 }],
  ['SEARCH_CHILDREN_K', '0', { searchChildrenK: 0 }],
  ['READ_ONLY', 'true', { readOnly: true }],
  ['READ_ONLY', '1', { readOnly: true }],
]

test.each(VARIABLES)('AGIDB_%s and its alias are %s', (name, value, expected, more = {}) => {
  const own = load({ ...more, [`AGIDB_${name}`]: value })
  expect(own.settings).toMatchObject(expected)
  expect(load({ ...more, [`VECLAYER_${name}`]: value }).settings).toEqual(own.settings)
  expect(load({ ...more, [`AGIDB_${name}`]: value, [`VECLAYER_${name}`]: 'another' }).settings).toEqual(own.settings)
})

const FULL = `# a comment
data_dir = "memory"
host = "0.0.0.0"
port = 3000
read_only = true
search_top_k = 10
search_children_k = 4
summarizer = "llm"

[embedder]
type = "openai"
model = "bge"
base_url = "http://gpu:1/v1"
api_key = "${KEY}"
dimensions = 384

[llm]
provider = "openai"
model = "gpt"
base_url = "http://gpu:2/v1"
api_key = "${KEY}"
`

describe('a file', () => {
  test('says every setting; its paths are relative to it', () => {
    const file = write('elsewhere/my.toml', FULL)
    const { settings, origins, file: read } = load({ AGIDB_CONFIG: 'elsewhere/my.toml' })
    expect(read).toBe(file)
    expect(origins['llm.model']).toEqual({ kind: 'file', file })
    expect(settings).toEqual({
      dataDir: join(cwd, 'elsewhere/memory'),
      embedder: { type: 'openai', model: 'bge', baseUrl: 'http://gpu:1/v1', apiKey: KEY, dimensions: 384 },
      llm: { provider: 'openai', model: 'gpt', baseUrl: 'http://gpu:2/v1', apiKey: KEY },
      summarizer: 'llm',
      host: '0.0.0.0',
      port: 3000,
      searchTopK: 10,
      searchChildrenK: 4,
      readOnly: true,
    } satisfies Settings)
  })

  test('is that of AGIDB_CONFIG, else that of the folder of the memory, else that of the folder of the process', () => {
    const named = write('named.toml', 'port = 1')
    write('data/agidb.toml', 'port = 2')
    write('agidb-data/agidb.toml', 'port = 3')
    expect(load({ AGIDB_CONFIG: named, AGIDB_DATA_DIR: 'data' }).settings.port).toBe(1)
    expect(load({ VECLAYER_CONFIG: named }).settings.port).toBe(1)
    expect(load({ AGIDB_DATA_DIR: 'data' }).settings.port).toBe(2)
    expect(load({ AGIDB_DATA_DIR: 'agidb-data' }, 'data').settings.port).toBe(2)
    expect(load().settings.port).toBe(3)
    write('agidb.toml', 'port = 4')
    expect(load().settings.port).toBe(3)
    expect(load({ AGIDB_DATA_DIR: 'none' }).settings.port).toBe(4)
  })

  test('loses against the environment, setting by setting; an empty variable says nothing', () => {
    write('agidb.toml', FULL)
    const { settings, origins } = load({ AGIDB_PORT: '1', VECLAYER_HOST: '::1', AGIDB_LLM_MODEL: ' ' })
    expect(settings).toMatchObject({ port: 1, host: '::1', searchTopK: 10, llm: { model: 'gpt' } })
    expect(origins['host']).toEqual({ kind: 'environment', variable: 'VECLAYER_HOST' })
    expect(load({ AGIDB_DATA_DIR: 'x' }).settings.dataDir).toBe('x')
    expect(load({ AGIDB_DATA_DIR: 'x' }, 'typed').settings.dataDir).toBe('typed')
  })

  test('names the folder of a model by its own place', () => {
    write('deep/agidb.toml', '[embedder]\ntype = "onnx"\nmodel = "models/bge"')
    const { embedder } = load({ AGIDB_CONFIG: 'deep/agidb.toml' }).settings
    expect(embedder).toEqual({ type: 'onnx', model: join(cwd, 'deep/models/bge') })
  })

  test.each([
    ['port = 70000', 1, 'port', /port is 70000; expected a whole number from 0 to 65,535/],
    ['\n# x\nport = "x"', 3, 'port', /"x"/],
    ['port = 1.5', 1, 'port', /1\.5/],
    ['port = 1979-05-27', 1, 'port', /expected a whole number/],
    ['host = ""', 1, 'host', /expected a text/],
    ['read_only = "yes"', 1, 'read_only', /true or false/],
    ['search_top_k = 0', 1, 'search_top_k', /1 to 100/],
    ['[llm]\n\nprovider = "claude"', 3, 'llm.provider', /"ollama" or "openai"/],
    ['llm.base_url = "localhost"', 1, 'llm.base_url', /http:\/\//],
    ['a = """\nport = 1\n"""', 1, 'a', /is no setting; known are data_dir/],
    ['port = 1\n[embedder]\nmodell = "x"', 3, 'embedder.modell', /is no setting/],
    ['[[llm]]\nmodel = "x"', 1, 'llm', /is no setting/],
    ['llm = "x"', 1, 'llm', /is no setting/],
    ['port = [\n1,\n2]', 1, 'port', /whole number/],
    ['host = """\n# x\n\n# y"""\n# z\nport = "x"', 6, 'port', /whole number/],
    ["host = '''\n\n# y'''\n\nport = [\n# ]\n]", 5, 'port', /whole number/],
    ['host = "x"\n\n"a.b" = 1', 3, 'a.b', /is no setting/],
    ['host = "x"\n__proto__ = 1', 2, '__proto__', /is no setting/],
    ['[embedder]\nmodel = "bge"', 2, 'embedder.model', /embedder\.type/],
    [`[llm]\nmodel = "m"\napi_key = "${KEY} "`, 3, 'llm.api_key', /visible ASCII/],
  ])('that is wrong is refused with file, line and key: %j', (text, line, key, message) => {
    const file = write('agidb.toml', text)
    const error = errorOf()
    expect(error.details).toEqual({ file, line, key })
    expect(error.message).toMatch(message)
    expect(error.message).toContain(`${file}, line ${line}: ${key} `)
  })

  // The first took half a minute when each line was read with all lines before it.
  test.each([
    ['between lines without a key', `${'#\n\n'.repeat(20_000)}port = "x"`, 40_001, 'port'],
    ['behind a long list', `[llm]\nmodels = [\n${'"a",\n'.repeat(12_000)}]`, 2, 'llm.models'],
  ])('that is wrong %s is refused in seconds with its line', (_, text, line, key) => {
    write('agidb.toml', text)
    const started = performance.now()
    expect(errorOf().details).toMatchObject({ line, key })
    expect(performance.now() - started).toBeLessThan(3000)
  })

  test.each([
    ['port = 1\nport = 2', 2],
    ['port = ', 1],
    ['\n\n[llm', 3],
    [`host = "x"\napi_key = "${KEY}`, 2],
  ])('that is not TOML is refused with file, line and column: %j', (text, line) => {
    const file = write('agidb.toml', text)
    const error = errorOf()
    expect(error.details).toEqual({ file, line, column: expect.any(Number) })
    expect(error.message).toContain('not TOML')
  })

  test('that is too large, no text, no file or not there is refused', () => {
    const file = write('agidb.toml', '#'.repeat(70_000))
    expect(errorOf()).toMatchObject({ message: expect.stringContaining('70,000 bytes'), details: { file } })
    write('agidb.toml', Uint8Array.of(0x61, 0xff))
    expect(errorOf().message).toContain('UTF-8')
    mkdirSync(join(cwd, 'folder'))
    expect(errorOf({ AGIDB_CONFIG: 'folder' }).message).toContain('cannot be read')
    expect(errorOf({ VECLAYER_CONFIG: 'nowhere.toml' })).toMatchObject({
      message: 'VECLAYER_CONFIG names nowhere.toml, which is not there',
      details: { variable: 'VECLAYER_CONFIG' },
    })
  })
})

test.each([
  ['PORT', '8o8o', {}],
  ['PORT', '-1', {}],
  ['READ_ONLY', 'yes', {}],
  ['SEARCH_TOP_K', '1e3', {}],
  ['SEARCH_CHILDREN_K', '101', {}],
  ['EMBEDDER', 'word2vec', {}],
  ['EMBEDDER', 'constructor', {}],
  ['LLM_PROVIDER', 'OpenAI', {}],
  ['LLM_BASE_URL', `http://user:${KEY}@host`, {}],
  ['LLM_BASE_URL', `http://host/?key=${KEY}`, {}],
  ['LLM_API_KEY', `${KEY}\n`, {}],
  ['OLLAMA_URL', 'gpu', { AGIDB_EMBEDDER: 'ollama' }],
])('the variable %s is refused where it is %j', (name, value, more) => {
  for (const prefix of ['AGIDB_', 'VECLAYER_']) {
    const error = errorOf({ ...more, [prefix + name]: value })
    expect(error.details['variable']).toBe(prefix + name)
    expect(error.message).toMatch(new RegExp(`^${prefix}${name} is .*; expected `, 's'))
  }
})

test('an ONNX model has to be named', () => {
  expect(errorOf({ AGIDB_EMBEDDER: 'onnx' }).details).toEqual({
    key: 'embedder.model',
    variable: 'AGIDB_FASTEMBED_MODEL',
  })
})

test('whatever stands in a file, it is taken or refused as AGIDB_CONFIG', () => {
  const line = fc.oneof(
    fc.constantFrom('port = 1', '[llm]', 'model = "x"', '[embedder]', 'type = "openai"', '"""', "'''", 'a = [', ']'),
    fc.string({ maxLength: 12 }),
  )
  fc.assert(
    fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
      write('agidb.toml', lines.join('\n'))
      try {
        expect(load().settings.port).toBeGreaterThanOrEqual(0)
      } catch (error) {
        expect(error).toMatchObject({ name: 'AgidbError', code: 'AGIDB_CONFIG' })
        const at = (error as AgidbError).details['line']
        if (at !== undefined) expect(at).toBeLessThanOrEqual(Math.max(1, lines.join('\n').split('\n').length))
      }
    }),
  )
})
