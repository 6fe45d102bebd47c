#!/usr/bin/env node
import { watchOutput } from './output.js'
import { run } from './run.js'

watchOutput()
process.exitCode = await run(process.argv.slice(2))
