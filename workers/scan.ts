import { expose } from 'comlink'
import { scanHost } from '../src/pools/scan/host.js'

expose(scanHost())
