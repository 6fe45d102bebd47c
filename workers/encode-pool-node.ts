import { workerData } from 'node:worker_threads'
import { expose, type Endpoint } from 'comlink'
import { encodeHost } from '../src/pools/encode/host.js'

expose(encodeHost(), workerData as Endpoint)
