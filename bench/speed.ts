/**
 * Speed, measured side by side in one run; a ratio is to the base row of its section:
 *
 *     npm run bench:speed -- [--only kernel,ranking,node,chromium] [--json FILE]
 */
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Section } from './section.js'

const { values } = parseArgs({
  options: { only: { type: 'string', default: 'kernel,ranking,node,chromium' }, json: { type: 'string' } },
})

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const asked = JSON.parse(await readFile(here('data/apollo13-questions.json'), 'utf8')) as { question: string }[]
const questions = asked.map(({ question }) => question)

const benches: Record<string, () => Promise<Section>> = {
  kernel: async () => (await import('./kernel-scan.js')).kernelScan(),
  ranking: async () => (await import('./ranking.js')).ranking(here('../demo/data/apollo13.jsonl'), questions),
  node: async () => (await import('./node.js')).nodeEndToEnd(here('../demo/data/apollo13.jsonl'), questions),
  chromium: async () => (await import('./chromium.js')).chromiumEndToEnd(questions),
}

const sections: Section[] = []
for (const name of values.only.split(',')) {
  const bench = benches[name]
  if (bench === undefined) throw new Error(`there is no bench ${JSON.stringify(name)}; known are ${Object.keys(benches).join(', ')}`)
  const section = await bench()
  sections.push(section)
  print(section)
}
if (values.json !== undefined) {
  const ratios = Object.fromEntries(sections.flatMap(({ rows }) => rows.filter(({ ratio }) => ratio !== undefined).map(({ name, key = name, ratio }) => [key, ratio])))
  await writeFile(values.json, JSON.stringify({ ratios, sections }, null, 2) + '\n')
}

function print({ title, rows }: Section): void {
  const width = Math.max(...rows.map(({ name }) => name.length))
  console.log(`\n${title}`)
  for (const { name, value, unit, ratio } of rows) {
    const figure = value.toLocaleString('en', { maximumFractionDigits: value < 100 ? 1 : 0 })
    console.log(`  ${name.padEnd(width)}  ${figure.padStart(8)} ${unit.padEnd(2)}${ratio === undefined ? '' : `  × ${ratio.toFixed(2)}`}`)
  }
}
