import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readCodebook } from '../src/encoding/codebook/node.js'
import { loadCodebook } from '../src/encoding/codebook/load.js'
import type { Observation } from '../src/api/episode.js'
import { Agidb } from '../src/runtimes/node/index.js'
import { quantile, type Section } from './section.js'

/** Observe, open and recall from end to end in this process, in a folder on disk. */
export async function nodeEndToEnd(transcript: string, questions: readonly string[]): Promise<Section> {
  const items = (await readFile(transcript, 'utf8'))
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line): Observation => {
      const { text, speaker, at } = JSON.parse(line) as Observation
      return { text, speaker, at, session: 'transcript' }
    })
  const folder = await mkdtemp(join(tmpdir(), 'agidb-bench-'))
  const path = join(folder, 'memory.agidb')
  try {
    let db = await Agidb.open({ extract: 'none', path })
    let started = performance.now()
    await db.observeMany(items)
    const observed = performance.now() - started
    const singles: number[] = []
    for (let i = 0; i < 100; i++) {
      started = performance.now()
      await db.observe(`Note ${i}: ${items[i].text}`)
      singles.push(performance.now() - started)
    }
    await db.close()

    started = performance.now()
    db = await Agidb.open({ extract: 'none', path })
    await db.recall(questions[0])
    const opened = performance.now() - started

    const recalls: number[] = []
    for (let round = 0; round < 5; round++) {
      for (const question of questions) {
        started = performance.now()
        await db.recall(question)
        recalls.push(performance.now() - started)
      }
    }
    const { bytes, codebook, ranker } = await db.stats()
    await db.close()

    started = performance.now()
    await loadCodebook(await readCodebook())
    const loaded = performance.now() - started
    return {
      title:
        `Node ${process.versions.node}, ${items.length} utterances in a folder (codebook ${codebook}, ranker ` +
        `${ranker})`,
      rows: [
        { name: 'observeMany, durable', value: observed, unit: 'ms' },
        { name: 'observeMany, durable', value: items.length / (observed / 1000), unit: '/s' },
        { name: 'observe, durable, p50', value: quantile(singles, 0.5), unit: 'ms' },
        { name: 'codebook from disk', value: loaded, unit: 'ms' },
        { name: 'open again, to the first answer', value: opened, unit: 'ms' },
        { name: 'recall of ten, p50', value: quantile(recalls, 0.5), unit: 'ms' },
        { name: 'recall of ten, p95', value: quantile(recalls, 0.95), unit: 'ms' },
        { name: 'on disk', value: bytes / 1e6, unit: 'MB' },
      ],
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
