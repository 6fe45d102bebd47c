import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadKernel } from '../../src/kernel/load.js'
import { readKernel } from '../../src/kernel/node.js'
import { nodeKeyFile } from '../../src/storage/adapters/node/key-file.js'
import { KeyRing } from '../../src/storage/crypto/key-ring.js'

/** Prints how large a ring of so many units is, and how long it takes to open it and to add a key. */
export async function ringCost(units: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'agidb-bench-'))
  try {
    const kernel = await loadKernel({ kernel: await readKernel() })
    const file = nodeKeyFile(join(folder, 'keys.agidb'))
    const ring = await KeyRing.create(file, 'keys-beside', kernel)
    for (let unit = 0; unit < units; unit++) ring.keyOf([`session ${unit}`])
    await ring.saveBoth()
    const saves: number[] = []
    for (let more = 0; more < 20; more++) {
      ring.keyOf([`one more ${more}`])
      const began = performance.now()
      await ring.save()
      saves.push(performance.now() - began)
    }
    const began = performance.now()
    await KeyRing.open(file, undefined, kernel)
    const opened = performance.now() - began
    const save = saves.sort((a, b) => a - b)[10]
    console.log(
      `${units} units: keys.agidb ${((await file.size()) / 1024).toFixed(0)} KiB, a new key ${save.toFixed(1)} ms, ` +
        `opening ${opened.toFixed(1)} ms`,
    )
    await file.close()
  } finally {
    await rm(folder, { recursive: true })
  }
}
