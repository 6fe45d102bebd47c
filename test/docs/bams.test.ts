import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const SOURCES = { agidb: 'src/runtimes/node/index.ts', 'agidb/bams': 'src/bams/index.ts' }

/** Responses of 3 subjects to 6 stimuli in 5 voxels, as NumPy writes them: two stimuli each of three topics. */
function responses(): Buffer {
  const header = "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 6, 5), }\n"
  const values = Float32Array.from({ length: 90 }, (_, i) => {
    const [stimulus, voxel] = [Math.floor(i / 5) % 6, i % 5]
    return (voxel === Math.floor(stimulus / 2) ? 2 : 0) + Math.sin(12.9898 * i)
  })
  const start = Buffer.from([0x93, ...Buffer.from('NUMPY'), 1, 0, header.length, 0])
  return Buffer.concat([start, Buffer.from(header), Buffer.from(values.buffer)])
}

test('the example compares a memory with responses and writes a report and a picture', () => {
  const page = readFileSync(join(ROOT, 'docs/bams.md'), 'utf8')
  let [, code] = /```ts\n([\s\S]*?)```/.exec(page)!
  for (const [name, path] of Object.entries(SOURCES))
    code = code!.replaceAll(`'${name}'`, `'${pathToFileURL(join(ROOT, path)).href}'`)
  const folder = mkdtempSync(join(tmpdir(), 'agidb-bams-'))
  try {
    writeFileSync(join(folder, 'example.mts'), code!)
    writeFileSync(join(folder, 'temporal-pole.npy'), responses())
    const args = ['--import', import.meta.resolve('tsx'), 'example.mts']
    const printed = execFileSync(process.execPath, args, { encoding: 'utf8', cwd: folder })
    expect(printed).toMatch(/^# Brain alignment\n\nBAMS: \*\*-?[01]\.\d{3}\*\*/)
    expect(printed).toMatch(/^\| temporal pole \| 3 \|/m)
    expect(readFileSync(join(folder, 'report.svg'), 'utf8')).toMatch(/^<svg [\s\S]*<\/svg>\n$/)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
