import { expose } from 'comlink'
import { shardHost } from '../src/shards/host.js'

expose(shardHost())
