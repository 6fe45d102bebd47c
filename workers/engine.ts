import { startEngineWorker } from '../src/runtimes/browser/engine-worker.js'

startEngineWorker()
