/** A worker of bench/kernel-workers.ts: holds a part of the signatures and answers queries about it. */
import { parentPort, workerData } from 'node:worker_threads'
import { readKernel } from '../src/kernel/node.js'
import { loadKernel } from '../src/kernel/load.js'
import { filled } from './kernel-contenders.js'
import type { Part } from './kernel-workers.js'

const { words, from, to } = workerData as Part
const kernel = await loadKernel({ kernel: await readKernel() })
const arena = filled(kernel.arena(), new Uint32Array(words), from, to)
parentPort!.on('message', (query: Uint8Array) => parentPort!.postMessage(arena.scan(kernel.query(query), 10)))
parentPort!.postMessage('ready')
