import { existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { paragraph, pdfFile } from '../unit/documents/pdf-file.js'
import { answer, serve } from '../unit/http/server.js'
import { MODEL, SHA256, TOKENIZER } from '../unit/models/minilm.js'
import { folderOf, MINILM } from '../unit/models/transformers/folders.js'
import { Project } from './project.js'
import { serveFolder } from './site.js'
import { leave, visit } from './visit.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

let project: Project

beforeAll(async () => {
  project = await Project.create()
})
afterAll(async () => {
  await leave()
  await project?.remove()
})

/** A program on a page of the documentation. */
interface Snippet {
  readonly page: string
  readonly language: string
  readonly code: string
}

async function snippets(): Promise<Snippet[]> {
  const docs = (await readdir(`${ROOT}docs`)).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)
  const pages = ['README.md', ...docs].map(async (page) => {
    const text = await readFile(ROOT + page, 'utf8')
    return [...text.matchAll(/```(ts|js|html)\n([\s\S]*?)```/g)].map(([, language, code]) => ({ page, language, code }))
  })
  return (await Promise.all(pages)).flat()
}

/** The one snippet of a page in which something is written. */
async function snippet(page: string, part: string): Promise<string> {
  const found = (await snippets()).filter((one) => one.page === page && one.code.includes(part))
  expect(found, `${page} has one snippet with ${part}`).toHaveLength(1)
  return found[0].code
}

/** Runs a program as a module in Node and gives what it prints. */
async function inNode(name: string, code: string): Promise<string> {
  await project.write(`${name}.mjs`, code)
  return (await project.run(process.execPath, `${name}.mjs`)).stdout
}

/** Runs a program in a page that Vite bundled, in Chromium, and gives what it logs, a line for each call. */
async function inChromium(name: string, code: string): Promise<string> {
  const log =
    'const lines = []\nconst log = console.log\nconsole.log = (...all) => (lines.push(all.join(" ")), log(...all))\n'
  await project.write(
    `${name}/index.html`,
    '<!doctype html><link rel="icon" href="data:,"><script type="module" src="./page.js"></script>',
  )
  await project.write(`${name}/page.js`, `${log}${code}\nglobalThis.seen = lines.join("\\n")\n`)
  await build({ root: project.path(name), configFile: false, logLevel: 'error' })
  const site = await serveFolder(project.path(name, 'dist'))
  try {
    return String((await visit(`${site.origin}/`))[0])
  } finally {
    await site.close()
  }
}

const OPEN_PAGE = "import { Agidb } from 'agidb'\nconst db = await Agidb.open({ name: 'my-agent' })\n"

/** Where each snippet is run, by the page and by something that only this snippet has. */
const RUN: readonly (readonly [page: string, part: string, where: string])[] = [
  ['README.md', "Agidb.open({ name: 'my-agent' })", 'here'],
  ['README.md', 'setGoal', 'here'],
  ['docs/bundlers.md', 'cdn.example', 'here'],
  ['docs/bundlers.md', "'./engine.js'", 'test/bundlers/esbuild.test.ts'],
  ['docs/cloudflare.md', 'remoteError', 'test/runtimes/example-cloudflare.test.ts'],
  ['docs/cloudflare.md', 'exportToBucket', 'test/runtimes/example-cloudflare.test.ts'],
  ['docs/concepts.md', 'db.alias', 'test/docs/readme.test.ts'],
  ['docs/concepts.md', 'oneAtATime', 'test/docs/readme.test.ts'],
  ['docs/bams.md', 'memoryComponents', 'test/docs/bams.test.ts'],
  ['docs/encoder.md', "'./models/model.onnx'", 'here'],
  ['docs/encoder.md', '?worker', 'here'],
  ['docs/encoder.md', 'agidb/transformers', 'here'],
  ['docs/encoder.md', 'ollamaEncoder', 'here'],
  ['docs/encryption.md', 'encryption: { passphrase }', 'here'],
  ['docs/encryption.md', 'replaces', 'here'],
  ['docs/encryption.md', 'sealed: true', 'here'],
  ['docs/extraction.md', "id: 'likes'", 'here'],
  ['docs/extraction.md', 'LanguageModel', 'here'],
  ['docs/floors.md', "name: 'dinner'", 'test/docs/readme.test.ts'],
  ['docs/floors.md', 'fitSurpriseProfile', 'here'],
  ['docs/floors.md', "name: 'flat'", 'here'],
  ['docs/floors.md', 'functionalPredicates', 'here'],
  ['docs/floors.md', 'reviseBeliefs', 'here'],
  ['docs/floors.md', 'autoBelieve', 'here'],
  ['docs/forgetting.md', 'dryRun', 'here'],
  ['docs/frameworks.md', 'memoryMiddleware', 'test/frameworks/ai-sdk.test.ts'],
  ['docs/frameworks.md', 'memoryStore', 'here'],
  ['docs/frameworks.md', 'MemoryRetriever', 'test/frameworks/langchain.test.ts'],
  ['docs/frameworks.md', 'MemorySession', 'test/frameworks/openai-agents.test.ts'],
  ['docs/frameworks.md', 'memoryProcessor', 'test/frameworks/mastra.test.ts'],
  ['docs/frameworks.md', 'memoryStorage', 'test/frameworks/mastra.test.ts'],
  ['docs/frameworks.md', 'new Memory(db)', 'test/frameworks/mem0.test.ts'],
  ['docs/getting-started-edge.md', "from 'agidb/edge'", 'test/bundlers/wrangler.test.ts'],
  ['docs/getting-started-node.md', "path: './memory.agidb' })", 'test/docs/readme.test.ts'],
  ['docs/getting-started-node.md', 'share: true', 'here'],
  ['docs/graphs.md', 'db.graph.paths', 'test/docs/readme.test.ts'],
  ['docs/graphs.md', "id: 'boiler'", 'test/docs/readme.test.ts'],
  ['docs/language-models.md', 'ollamaLlm', 'here'],
  ['docs/documents.md', "source: 'kettle.md'", 'test/docs/readme.test.ts'],
  ['docs/documents.md', 'pdfParser', 'here'],
  ['docs/documents.md', 'llmSummarizer', 'here'],
  ['docs/inspector.md', 'createElement', 'here'],
  ['docs/live.md', 'db.live(', 'here'],
  ['docs/mcp.md', 'createMcpServer', 'test/docs/mcp.test.ts'],
  ['docs/mcp.md', 'createMcpHandler', 'test/docs/mcp.test.ts'],
  ['docs/neurosymbolic.md', 'signatureToTriples', 'test/docs/readme.test.ts'],
  ['docs/neurosymbolic.md', 'episodeToSignature', 'here'],
  ['docs/postgres.md', 'PGlite', 'test/docs/postgres.test.ts'],
  ['docs/postgres.md', 'listener.connect', 'test/slow/storage/adapters/postgres-listening.test.ts'],
  ['docs/sqlite.md', 'DatabaseSync', 'test/runtimes/examples-deno.test.ts'],
  ['docs/deno-kv.md', 'openKv', 'test/runtimes/examples-deno.test.ts'],
  ['docs/rankers.md', 'agidb/rankers/locomo', 'here'],
  ['docs/rankers.md', 'my-ranker.json', 'here'],
  ['docs/recall.md', 'budgetTokens', 'test/docs/readme.test.ts'],
  ['docs/recall.md', 'Two tickets', 'here'],
  ['docs/recall.md', 'A gust broke', 'here'],
  ['docs/recipes.md', 'async function turn', 'test/docs/recipes.test.ts'],
  ['docs/recipes.md', "source: 'kettle.md'", 'test/docs/recipes.test.ts'],
  ['docs/recipes.md', 'request of 1 May', 'test/docs/recipes.test.ts'],
  ['docs/recipes.md', 'importFromMem0', 'test/docs/recipes.test.ts'],
  ['docs/records.md', "open({ name: 'office' })", 'test/docs/readme.test.ts'],
  ['docs/records.md', 'retention:', 'here'],
  ['docs/records.md', 'beliefs: [belief]', 'here'],
  ['docs/scopes.md', 'db.scope(', 'here'],
  ['docs/senses.md', 'audioEncoder', 'test/docs/senses.test.ts'],
  ['docs/senses.md', 'videoEncoder', 'test/docs/senses.test.ts'],
  ['docs/senses.md', 'dualEncoder', 'test/docs/senses.test.ts'],
  ['docs/senses.md', "modality: 'touch'", 'test/docs/senses.test.ts'],
  ['docs/senses.md', "modality: 'multimodal'", 'test/docs/senses.test.ts'],
  ['docs/senses.md', 'db.listen(', 'e2e/listening.spec.ts'],
  ['docs/sync.md', 'versionVector', 'test/docs/sync.test.ts'],
  ['docs/sync.md', "from 'agidb/sync'", 'test/docs/sync.test.ts'],
  ['docs/storage-adapters.md', 'storage: myAdapter()', 'test/slow/storage/adapters/custom.test.ts'],
  ['docs/storage-adapters.md', 'jsonFileStorage(path', 'test/slow/storage/adapters/custom.test.ts'],
  ['docs/storage-adapters.md', 'storageContract({ durable: true }', 'test/slow/storage/adapters/custom.test.ts'],
]

test('every snippet of the documentation is run by a test', async () => {
  const all = await snippets()
  const unknown = all.filter(({ page, code }) => !RUN.some(([known, part]) => known === page && code.includes(part)))
  expect(unknown.map(({ page, code }) => `${page}: ${code.split('\n')[0]}`)).toEqual([])
  expect(all.length).toBe(RUN.length)
})

test('README, in a browser: the first example prints the memory that it asks for', async () => {
  const printed = await inChromium('first', await snippet('README.md', "Agidb.open({ name: 'my-agent' })"))
  expect(printed).toMatch(/^0\.\d+ \w+ Sarah 2026-05-01T19:00:00\.000Z Sarah recommended Bawri/)
})

test('README, in a browser: the example of goals and beliefs', async () => {
  const code = await snippet('README.md', 'setGoal')
  const printed = await inChromium('goals', `${OPEN_PAGE}${code}\nawait db.close()\n`)
  expect(printed).toMatch(/^ep_\w{26}\n/)
  expect(printed).toContain('Bawri is a thai restaurant find a thai place for the team dinner')
})

test('docs/inspector.md, in a browser: the inspector lists the memory', async () => {
  const code = await snippet('docs/inspector.md', 'createElement')
  const look = `
    const rows = () => inspector.shadowRoot.querySelectorAll('[role=option]')
    while (rows().length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
    console.log(rows().length, rows()[0].querySelector('.text').textContent)`
  expect(await inChromium('inspector', `${code}\n${look}`)).toBe('1 Sarah recommended Bawri, a thai place in Bandra.')
})

test('docs/live.md, in a browser: the answer follows the change', async () => {
  const printed = await inChromium('live', await snippet('docs/live.md', 'db.live('))
  const [first, second] = printed.split('\n')
  expect(first).toBe('Sarah recommended Bawri, a thai place in Bandra.')
  expect(second.split(' | ').sort()).toEqual([
    'Sarah recommended Bawri, a thai place in Bandra.',
    'The thai place in Bandra closed in May.',
  ])
})

test('docs/frameworks.md, in a browser: a store tells its listener of each answer', async () => {
  const printed = await inChromium('store', await snippet('docs/frameworks.md', 'memoryStore'))
  const lines = printed.split('\n')
  expect(lines[0]).toBe('pending 0')
  expect(lines.at(-1)).toMatch(/^ready [01]$/)
})

test('docs/bundlers.md, in a page without a bundler', async () => {
  const cdn = await serveFolder(project.path('node_modules'))
  const site = await serveFolder(project.folder)
  try {
    const code = (await snippet('docs/bundlers.md', 'cdn.example')).replace('https://cdn.example', cdn.origin)
    const shown = code.replace('console.log(matches[0].text)', 'globalThis.seen = matches[0].text')
    expect(shown).toContain('globalThis.seen')
    await project.write('plain.html', `<!doctype html>${shown}`)
    expect(await visit(`${site.origin}/plain.html`)).toEqual(['Sarah recommended Bawri, a thai place in Bandra.'])
  } finally {
    await Promise.all([cdn.close(), site.close()])
  }
})

const OPEN_FOLDER = "import { Agidb } from 'agidb'\n"

test('docs/encryption.md, in Node: a passphrase, and another one', async () => {
  const first = await snippet('docs/encryption.md', 'encryption: { passphrase }')
  const next = await snippet('docs/encryption.md', 'replaces')
  const shown = 'console.log((await db.stats()).encryption.kind)\nawait db.close()\n'
  expect(await inNode('sealed', `${OPEN_FOLDER}const passphrase = 'one'\n${first}${shown}`)).toBe('passphrase\n')
  const names = "const before = 'one', next = 'two'\n"
  expect(await inNode('rekeyed', `${OPEN_FOLDER}${names}${next}${shown}`)).toBe('passphrase\n')
})

test('docs/encryption.md, in Node: a backup that forgets', async () => {
  const code = await snippet('docs/encryption.md', 'sealed: true')
  const open = `${OPEN_FOLDER}const options = { encryption: 'keys-beside', tombstoneDays: 0 }
const db = await Agidb.open({ path: 'memory', ...options })
await db.observe('The dentist moved to Hill Road.', { session: 'tuesday' })
`
  const later = "await db.unlearn({ session: 'tuesday' }, 'Tom asked')\n"
  const shown = 'console.log(episodes, forgotten > 0)\nawait db.close()\n'
  const [made, back] = code.split(/(?<=blob\(\)\n)/)
  expect(await inNode('backup', `${open}${made}${later}${back}${shown}`)).toBe('0 true\n')
})

test('docs/forgetting.md, in Node', async () => {
  const printed = await inNode('forgetting', await snippet('docs/forgetting.md', 'dryRun'))
  expect(printed).toMatch(/^1 1 \[/)
  expect(printed).toContain("[ 'Sarah recommended Bawri, a thai place in Bandra.' ]\n[]\n")
})

test('docs/recall.md, in Node: filters', async () => {
  const open = `${OPEN_FOLDER}const db = await Agidb.open({ storage: 'memory' })\n`
  const counted = 'console.log(await db.count(filter))\nawait db.close()\n'
  expect(await inNode('filters', `${open}${await snippet('docs/recall.md', 'Two tickets')}\n${counted}`)).toBe('1\n')
})

test('docs/recall.md, in Node: order in time', async () => {
  const open = `${OPEN_FOLDER}const db = await Agidb.open({ storage: 'memory' })\n`
  const printed = await inNode('order', `${open}${await snippet('docs/recall.md', 'A gust broke')}\nawait db.close()\n`)
  expect(printed).toMatch(
    /^The harbour master towed us home\. \[\s*\{\s*from: 'ep_\w{26}',\s*edge: 'forward',\s*weight: 0\.8/,
  )
})

test('docs/records.md, in a browser: retention', async () => {
  const code = await snippet('docs/records.md', 'retention:')
  const shown = 'console.log((await db.stats()).episodes)\nawait db.close()\n'
  expect(await inChromium('retention', `${OPEN_FOLDER}${code}${shown}`)).toBe('0')
})

test('docs/records.md, in Node: what an episode was observed for', async () => {
  const open = `${OPEN_FOLDER}const db = await Agidb.open({ storage: 'memory' })\n`
  const printed = await inNode(
    'links',
    `${open}${await snippet('docs/records.md', 'beliefs: [belief]')}await db.close()\n`,
  )
  expect(printed).toMatch(/goal: 'go_\w+'/)
  expect(printed).toMatch(/beliefs: \[ 'be_\w+' \]/)
})

test('docs/neurosymbolic.md, in Node: what is read from the signature of an episode', async () => {
  const open = `${OPEN_FOLDER}const db = await Agidb.open({ storage: 'memory' })\n`
  const code = await snippet('docs/neurosymbolic.md', 'episodeToSignature')
  const printed = await inNode('episode-signature', `${open}${code}await db.close()\n`)
  expect(printed).toMatch(/^true \[ 'be_\w+' \] 2026-11-29\n$/)
})

test('docs/floors.md, in a browser: what was observed for a goal', async () => {
  expect(await inChromium('goal', await snippet('docs/floors.md', "name: 'flat'"))).toBe('true true\nfalse')
})

test('docs/scopes.md, in Node', async () => {
  expect(await inNode('scopes', await snippet('docs/scopes.md', 'db.scope('))).toBe('1\n0\n0\n')
})

test('docs/getting-started-node.md, in Node: processes that share a folder', async () => {
  const found = await snippet('docs/getting-started-node.md', 'share: true')
  const code = found.replace('./memory.agidb', './shared.agidb')
  await Promise.all([1, 2, 3].map((process) => inNode(`sharing-${process}`, code)))
  const count = code.replace(/await db\.observe\(.*\)/, 'console.log(await db.count())')
  expect(await inNode('shared', count)).toBe('3\n')
})

/** Packages that are needed beside this one, as if they were installed. Default: those of the sentence encoder. */
async function installPeers(...peers: readonly string[]): Promise<void> {
  for (const peer of peers.length > 0 ? peers : ['onnxruntime-web', '@huggingface/tokenizers']) {
    const place = project.path('node_modules', peer)
    await mkdir(dirname(place), { recursive: true })
    if (!existsSync(place)) await symlink(`${ROOT}node_modules/${peer}`, place)
  }
}

test('docs/encoder.md, in Node', async () => {
  await installPeers()
  await mkdir(project.path('models'))
  await symlink(MODEL, project.path('models/model.onnx'))
  await symlink(TOKENIZER, project.path('models/tokenizer.json'))
  const code = await snippet('docs/encoder.md', "'./models/model.onnx'")
  const asking = "await db.observe('The oxygen tank blew up.')\nconsole.log((await db.stats()).encoder !== undefined)"
  expect(code).toContain('// …')
  expect(await inNode('encoder', code.replace('// …', asking))).toBe('true\n')
})

test('docs/encoder.md, in a browser: the worker and the WebAssembly as files that Vite knows', async () => {
  await installPeers()
  await mkdir(project.path('encoder-page/public/models'), { recursive: true })
  await copyFile(MODEL, project.path('encoder-page/public/models/model.onnx'))
  await copyFile(TOKENIZER, project.path('encoder-page/public/models/tokenizer.json'))
  const code = (await snippet('docs/encoder.md', '?worker'))
    .replace('8199be6f…', SHA256.model)
    .replace('be50c362…', SHA256.tokenizer)
  const using = "console.log(encoder.id, (await encoder.encode(['a', 'b'])).length)"
  expect(await inChromium('encoder-page', `import { sentenceEncoder } from 'agidb/onnx'\n${code}${using}`)).toBe(
    `${SHA256.model} 2`,
  )
})

test('docs/encoder.md, in Node: a folder of transformers.js', async () => {
  await installPeers('@huggingface/transformers')
  const folder = folderOf(MINILM)
  await mkdir(project.path('models'), { recursive: true })
  await symlink(folder.path, project.path('models/minilm'))
  const code = (await snippet('docs/encoder.md', 'agidb/transformers')).replace('memory.agidb', 'transformers.agidb')
  const remembering = "await db.observe('The physician examined my knee.')"
  expect(await inNode('transformers', code.replace('// …', remembering))).toBe('cpu The physician examined my knee.\n')
  folder.remove()
})

test('docs/encoder.md and docs/language-models.md, in Node: models of Ollama', async () => {
  const asked: string[] = []
  const ollama = await serve(({ path, body }, response) => {
    asked.push(path)
    const latents = ((body.input ?? []) as string[]).map((text) => [text.length, 1, 2])
    answer(response, { message: { content: 'Tom booked a table.' }, embeddings: latents })
  })
  const here = (code: string) => code.replace("model: '", `url: '${ollama.url}', model: '`)
  try {
    const encoding = here(await snippet('docs/encoder.md', 'ollamaEncoder'))
    const asking = "await db.observe('The oxygen tank blew up.')\nconsole.log((await db.stats()).encoder.dimension)"
    expect(await inNode('http-encoder', encoding.replace('// …', asking))).toBe('3\n')
    const model = here(await snippet('docs/language-models.md', 'ollamaLlm'))
    expect(await inNode('llm', model)).toBe('Tom booked a table.\n')
    expect([...new Set(asked)]).toEqual(['/api/embed', '/api/chat'])
  } finally {
    await ollama.close()
  }
})

test('docs/documents.md, in Node: PDF, source code, and summaries by a model', async () => {
  const code = await snippet('docs/documents.md', 'pdfParser')
  await writeFile(
    project.path('report.pdf'),
    pdfFile([[{ text: 'Report', size: 20, y: 700 }, ...paragraph(660, 'All is well.')]]),
  )
  await project.write('main.ts', '/** Boils water. */\nexport function boil() {}\n')
  // Without the packages it says which one is missing.
  await expect(inNode('files-without', code)).rejects.toThrow('npm install unpdf')
  await installPeers('unpdf', '@vscode/tree-sitter-wasm')
  const asking = "const [first] = await db.entries.search('who boils water?')\nconsole.log(first.entry.heading)\n"
  expect(await inNode('files', `${code}${asking}`)).toBe('boil\n')

  const ollama = await serve((_, response) => answer(response, { message: { content: 'Ann checks it.' } }))
  try {
    const summing = await snippet('docs/documents.md', 'llmSummarizer')
    const here = summing.replace("model: '", `url: '${ollama.url}', model: '`)
    const long =
      "`# Bus\\n\\n## One\\n\\n${'Ann checks it. '.repeat(60)}\\n\\n## Two\\n\\n${'Ann checks that. '.repeat(60)}`"
    const using =
      `await db.entries.ingest(${long}, { source: 'bus.md' })\n` +
      "console.log((await db.entries.browse()).find(({ type }) => type === 'summary').content)\nawait db.close()\n"
    expect(await inNode('summarizer', `${here}${using}`)).toBe('Ann checks it.\n')
  } finally {
    await ollama.close()
  }
})

test('docs/extraction.md, in Node: an extractor of the application', async () => {
  expect(await inNode('extractor', await snippet('docs/extraction.md', "id: 'likes'"))).toBe(
    "[ { subject: 'Sarah', predicate: 'likes', object: 'mangoes' } ]\n",
  )
})

test('docs/extraction.md, in a browser: a language model of the page', async () => {
  const code = await snippet('docs/extraction.md', 'LanguageModel')
  // Chromium brings no model along: this one knows one sentence.
  const model = `const statement = { subject: 'Sarah', predicate: 'likes', object: 'mangoes', polarity: 'positive',
    modality: 'asserted', confidence: 1, quote: 'Sarah likes mangoes' }
  const LanguageModel = { create: async () => ({
    prompt: async (_, { responseConstraint }) =>
      JSON.stringify(responseConstraint.required.includes('statements') && { entities: [], statements: [statement] }),
  }) }\n`
  const using = `const id = await db.observe('Sarah likes mangoes.')
    await db.recall('mangoes', { whole: true })
    console.log(JSON.stringify((await db.getEpisode(id)).triples))\nawait db.close()\n`
  const [head, ...rest] = code.split('\n')
  expect(await inChromium('model', `${head}\n${model}${rest.join('\n')}\n${using}`)).toBe(
    '[{"subject":"Sarah","predicate":"likes","object":"mangoes"}]',
  )
})

test('docs/floors.md, in a browser: a profile of surprise', async () => {
  const code = await snippet('docs/floors.md', 'fitSurpriseProfile')
  const pairs =
    'const pairs = Array.from({ length: 200 }, (_, i) => ({ surprise: (i % 10) / 10, external: (i % 10) / 10 }))\n'
  const printed = await inChromium('profile', pairs + code)
  expect(printed).toMatch(/^[\d.]+ [\d.]+$/)
})

test('docs/floors.md, in a browser: what a consolidation forms', async () => {
  const code = await snippet('docs/floors.md', 'functionalPredicates')
  const said = `for (let i = 0; i < 5; i++) await db.observe('CAPCOM calls Houston, the ' + i + 'th time', {
    source: 's' + i, triples: [{ subject: 'CAPCOM', predicate: 'calls', object: 'Houston' }] })\n`
  expect(
    await inChromium('consolidation', `${OPEN_PAGE}${said}${code}\nconsole.log(atomsFormed > 0 || atom !== undefined)`),
  ).toMatch(/ 5 5\ntrue$/)
})

test('docs/floors.md, in a browser: what the memory believes by itself', async () => {
  const code = await snippet('docs/floors.md', 'autoBelieve')
  const printed = await inChromium('believing', `${code}\nawait db.close()\n`)
  expect(printed).toBe('0\nSarah lives in Porto 0.9')
})

test('docs/floors.md, in a browser: an episode that contradicts a belief', async () => {
  const code = await snippet('docs/floors.md', 'reviseBeliefs')
  const printing =
    '\nconsole.log(confidence, contradictions[0] === episode, changes[0].after, ' +
    'changes[0].contradicted)\nawait db.close()\n'
  expect(await inChromium('belief', `${OPEN_PAGE}${code}${printing}`)).toBe('0.75 true 0.75 true')
})

test('docs/rankers.md, in Node', async () => {
  const code = await snippet('docs/rankers.md', 'agidb/rankers/locomo')
  const printing = '\nconsole.log((await db.stats()).ranker.id ?? (await db.stats()).ranker)\nawait db.close()\n'
  expect(await inNode('locomo', `import { Agidb } from 'agidb'\n${code}${printing}`)).toMatch(/\w/)

  await inNode(
    'table',
    "import { writeFileSync } from 'node:fs'\nimport { locomo } from " +
      "'agidb/rankers/locomo'\nwriteFileSync('my-ranker.json', JSON.stringify(locomo))",
  )
  const own = (await snippet('docs/rankers.md', 'my-ranker.json')).replaceAll('memory.agidb', 'own.agidb')
  expect(
    await inNode(
      'own',
      `import { Agidb } from 'agidb'\nimport { readFile } from 'node:fs/promises'\n${own}${printing}`,
    ),
  ).toMatch(/\w/)
})
