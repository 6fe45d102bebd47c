import { workerData } from 'node:worker_threads'
import { expose, type Endpoint } from 'comlink'
import { scanHost } from '../src/pools/scan/host.js'

expose(scanHost(), workerData as Endpoint)
