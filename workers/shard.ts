import { expose } from 'comlink'
import { shardHost } from '../src/pools/scan/host.js'

expose(shardHost())
