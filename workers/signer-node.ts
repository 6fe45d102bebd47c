import { workerData } from 'node:worker_threads'
import { expose, type Endpoint } from 'comlink'
import { signerHost } from '../src/pools/encode/host.js'

expose(signerHost(), workerData as Endpoint)
