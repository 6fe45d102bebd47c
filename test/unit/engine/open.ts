import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Agidb } from '../../../src/api/agidb.js'
import type { Engine } from '../../../src/engine/engine.js'
import { openEngine } from '../../../src/engine/whole.js'
import type { EngineOptions } from '../../../src/engine/options.js'
import { memoryStorage } from '../../../src/storage/adapters/memory.js'
import { kernel } from '../encoding/kernel.js'
import { NOW } from './now.js'

export { NOW }

/** The engine in memory at a fixed time, unless the options say otherwise. */
export function openMemory(options: Partial<EngineOptions> = {}): Promise<Engine> {
  return openEngine({ kernel, storage: memoryStorage(), clock: () => NOW, seed: 1, ...options })
}

/** Calls `use` with the path of a new folder, and takes the folder away after it. */
export async function withFolder<T>(use: (path: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'agidb-engine-'))
  try {
    return await use(join(folder, 'memory.agidb'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** All episodes, in order. */
export async function listed(
  db: Pick<Agidb, 'episodes'>,
  options = {},
): Promise<{ readonly id: string; readonly text: string }[]> {
  const all = []
  for await (const page of db.episodes(options)) all.push(...page)
  return all
}
