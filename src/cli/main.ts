#!/usr/bin/env node
import { tolerateClosedPipes } from './output.js'
import { run } from './run.js'

tolerateClosedPipes()
process.exitCode = await run(process.argv.slice(2))
