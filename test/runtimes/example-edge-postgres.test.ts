import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createRequire } from 'node:module'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { EdgeVM } from '@edge-runtime/vm'
import { build } from 'esbuild'
import { PGlite, types } from '@electric-sql/pglite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PostgresServer, postgresPrograms } from '../fixtures/postgres-server.js'

const EXAMPLE = fileURLToPath(new URL('../../examples/edge-postgres/handler.js', import.meta.url))
const { resolve } = createRequire(import.meta.url)
const TEXT = 'Sarah recommended Bawri, a thai place in Bandra.'

/** Runs one statement, and answers its rows with all values as text. */
type Query = (text: string, values: string[]) => Promise<unknown[]>

let postgres: PostgresServer | undefined
let http: Server
let script: string

beforeAll(async () => {
  const query = await connect()
  // What a driver over HTTP speaks to: a statement and its values come, rows go.
  http = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (part: string) => (body += part))
    request.on('end', () => {
      const { text, values } = JSON.parse(body) as { text: string; values: string[] }
      query(text, values).then(
        (rows) => response.end(JSON.stringify(rows)),
        ({ code, message }: { code: string; message: string }) => {
          response.statusCode = 400
          response.end(JSON.stringify({ code, message }))
        },
      )
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => http.once('listening', resolve))
  const { port } = http.address() as AddressInfo
  script = await bundle(port)
})
afterAll(async () => {
  http.close()
  await postgres?.remove()
})

/** PostgreSQL where it is installed, with a session of its own for each statement; PGlite elsewhere. */
async function connect(): Promise<Query> {
  const programs = postgresPrograms()
  const asText = (value: string): string => value
  if (programs === undefined) {
    const client = await PGlite.create()
    const parsers = Object.fromEntries(Object.values(types).map((type) => [type, asText]))
    return async (text, values) => (await client.query(text, values, { parsers })).rows
  }
  const server = (postgres = new PostgresServer(programs))
  await server.start()
  return async (text, values) => {
    const client = await server.connect()
    try {
      return (await client.query({ text, values, types: { getTypeParser: () => asText } })).rows as unknown[]
    } finally {
      await client.end()
    }
  }
}

/** The example with a driver over HTTP, as one script. */
async function bundle(port: number): Promise<string> {
  const program = `
    import { memoryHandler } from ${JSON.stringify(EXAMPLE)}
    const driver = {
      async query(text, values = []) {
        const body = JSON.stringify({ text, values })
        const answer = await fetch('http://127.0.0.1:${port}', { method: 'POST', body })
        const said = await answer.json()
        if (!answer.ok) throw Object.assign(new Error(said.message), { code: said.code })
        return said
      },
    }
    globalThis.start = (kernel) => (globalThis.handler = memoryHandler(driver, kernel))`
  const built = await build({
    stdin: { contents: program, resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
    alias: { 'agidb/edge': resolve('agidb/edge'), 'agidb/postgres': resolve('agidb/postgres') },
    bundle: true,
    format: 'iife',
    conditions: ['edge-light', 'import'],
    target: 'es2022',
    logLevel: 'error',
    write: false,
  })
  return built.outputFiles[0].text
}

/** An isolate with the handler. */
async function isolate(kernel: boolean): Promise<(path: string, body?: string) => Promise<unknown>> {
  // Vercel refuses to compile WebAssembly from bytes; what is imported with ?module is compiled already.
  const vm = new EdgeVM({ codeGeneration: { strings: false, wasm: false } })
  vm.evaluate(script)
  const compiled = kernel ? new WebAssembly.Module(await readFile(resolve('agidb/kernel.wasm'))) : undefined
  const { start } = vm.context as unknown as { start(kernel?: WebAssembly.Module): void }
  start(compiled)
  return async (path, body) => {
    const init = JSON.stringify(body === undefined ? {} : { method: 'POST', body })
    const url = JSON.stringify(`https://example.com/api${path}`)
    const answer = vm.evaluate<Promise<Response>>(`handler(new Request(${url}, ${init}))`)
    return (await answer).json()
  }
}

test.each([
  ['with the kernel', true],
  ['without it', false],
])('%s the example remembers and recalls for each user, in another isolate, too', async (name, kernel) => {
  const user = name.replaceAll(' ', '-')
  const ask = await isolate(kernel)
  expect(await ask(`/${user}`, TEXT)).toEqual({ id: expect.stringMatching(/^ep_/) })
  expect(await ask(`/${user}?q=thai%20place`)).toEqual([{ text: TEXT, confidence: expect.any(Number) }])
  expect(await ask(`/${user}-else?q=thai%20place`)).toEqual([])
  expect(await ask(`/${user}`, '')).toMatchObject({ code: 'AGIDB_INVALID_TEXT' })
  const other = await isolate(kernel)
  expect(await other(`/${user}?q=thai%20place`)).toEqual(await ask(`/${user}?q=thai%20place`))
})

test('two isolates that write to one memory at the same time both are heard', async () => {
  const [one, two] = await Promise.all([isolate(false), isolate(false)])
  await one('/both', 'The office is in Rome.')
  const answers = await Promise.all([one('/both', 'The depot is in Oslo.'), two('/both', 'The mill is in Bern.')])
  expect(answers).toEqual([{ id: expect.any(String) }, { id: expect.any(String) }])
  const found = JSON.stringify(await one('/both?q=where%20is%20the%20depot%20and%20the%20mill'))
  expect(found).toContain('Oslo')
  expect(found).toContain('Bern')
})
