import { workerData } from 'node:worker_threads'
import { expose, type Endpoint } from 'comlink'
import { shardHost } from '../src/pools/scan/host.js'

expose(shardHost(), workerData as Endpoint)
