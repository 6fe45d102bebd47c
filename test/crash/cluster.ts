import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { Agidb } from '../../src/runtimes/node/index.js'
import { ownerOf } from './folder-owner.js'

const MEMBER = fileURLToPath(new URL('cluster-member.ts', import.meta.url))

/** What came of a run: how many calls were answered, of which kind, and what the folder then holds. */
export interface ClusterReport {
  readonly kills: number
  readonly acknowledged: number
  readonly refused: number
  /** Acknowledged, and not there. */
  readonly lost: readonly string[]
  /** There more than once. */
  readonly twice: readonly string[]
}

/** A process that shares the folder. */
class Member {
  readonly child: ChildProcessByStdio<Writable, Readable, null>
  readonly acknowledged: string[] = []
  readonly refused: string[] = []
  readonly opened: Promise<void>

  constructor(folder: string) {
    this.child = spawn(process.execPath, ['--import', 'tsx', MEMBER, folder], { stdio: ['pipe', 'pipe', 'inherit'] })
    this.child.stdin.on('error', () => {}) // it was killed
    this.opened = new Promise((resolve) => {
      createInterface({ input: this.child.stdout }).on('line', (line) => {
        if (line === 'open') resolve()
        else if (line.startsWith('+')) this.acknowledged.push(line.slice(1))
        else this.refused.push(line)
      })
    })
  }

  async kill(): Promise<void> {
    const gone = once(this.child, 'close')
    this.child.kill('SIGKILL')
    await gone
  }

  async close(): Promise<void> {
    const gone = once(this.child, 'close')
    this.child.stdin.end('close\n')
    await gone
  }
}

/**
 * Has members write to one folder at the same time, kills whichever owns it, again and again, each time while all have
 * calls that are not answered, and then compares what is there with what was acknowledged.
 */
export async function runCluster(folder: string, kills: number, members = 4): Promise<ClusterReport> {
  const all: Member[] = []
  let running = Array.from({ length: members }, () => new Member(folder))
  all.push(...running)
  await Promise.all(running.map(({ opened }) => opened))
  let calls = 0
  const ask = (each: number): void => {
    for (let i = 0; i < each; i++) for (const { child } of running) child.stdin.write(`observe n${calls++}\n`)
  }
  for (let kill = 0; kill < kills; kill++) {
    ask(20)
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 120))
    ask(20)
    const owner = running.find(({ child }) => child.pid === ownerOf(folder))
    if (owner === undefined) throw new Error('no member has the lock')
    const next = new Member(folder)
    all.push(next)
    await owner.kill()
    running = [...running.filter((member) => member !== owner), next]
    await Promise.all(running.map(({ opened }) => opened))
  }
  await Promise.all(running.map((member) => member.close()))
  const acknowledged = all.flatMap((member) => member.acknowledged)
  const found = await countBySpeaker(folder)
  return {
    kills,
    acknowledged: acknowledged.length,
    refused: all.flatMap(({ refused }) => refused).length,
    lost: acknowledged.filter((id) => !found.has(id)),
    twice: [...found].filter(([, count]) => count > 1).map(([id]) => id),
  }
}

async function countBySpeaker(folder: string): Promise<Map<string, number>> {
  const db = await Agidb.open({ path: folder, codebook: 'none', extract: 'none', autoConsolidate: false })
  const found = new Map<string, number>()
  for await (const page of db.episodes({ limit: 1000 }))
    for (const { speaker = '' } of page) found.set(speaker, (found.get(speaker) ?? 0) + 1)
  await db.close()
  return found
}
