/**
 * Gives damaged input to everything that reads any: `npm run test:fuzz`. Each target gets 1,000,000 inputs or ten
 * minutes, whichever comes first. Input n of a seed is always the same.
 *
 *   npm run test:fuzz -- --seconds 60 --inputs 100000 --seed 7 --target journal --from 4711
 */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { random } from './mutate.js'
import { Depth, tryOne } from './target.js'
import { TARGETS } from './targets.js'

/** Milliseconds without a sign of life after which a target counts as hanging. */
const PATIENCE = 60_000

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '600' },
    inputs: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    target: { type: 'string' },
    from: { type: 'string', default: '0' },
    here: { type: 'boolean', default: false },
  },
})
const [seconds, inputs, seed, start] = [values.seconds, values.inputs, values.seed, values.from].map(Number)

/** Runs a target in this process. */
async function fuzz(name: string): Promise<void> {
  const target = TARGETS.find((target) => target.name === name)
  if (target === undefined)
    throw new Error(`no target ${name}; there are ${TARGETS.map(({ name }) => name).join(', ')}`)
  const until = performance.now() + 1000 * seconds
  let told = performance.now()
  const depth = new Depth(target)
  let input = start
  for (; input < start + inputs && performance.now() < until; input++) {
    try {
      depth.add(await tryOne(target, random(seed, input)))
    } catch (error) {
      console.log(
        `FAIL ${name}: input ${input} of seed ${seed}\n${error instanceof Error ? error.stack : String(error)}`,
      )
      process.exit(1)
    }
    if (performance.now() - told > 5000) {
      told = performance.now()
      console.log(`     ${name}: ${input - start} inputs`)
    }
  }
  await target.end?.()
  console.log(`ok   ${name}: ${input - start} inputs of seed ${seed}, no crash; ${depth.toString()}`)
}

/** Runs a target in a process of its own, which is ended when it hangs. */
function guarded(name: string): Promise<boolean> {
  const args = [
    '--import',
    'tsx',
    fileURLToPath(import.meta.url),
    '--here',
    '--target',
    name,
    ...Object.entries({ seconds, inputs, seed, from: start }).flatMap(([key, value]) => [`--${key}`, String(value)]),
  ]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  return new Promise((resolve) => {
    let last = ''
    const hangs = () => {
      console.log(`FAIL ${name}: no sign of life in ${PATIENCE / 1000} s, after "${last.trim()}" of seed ${seed}`)
      child.kill('SIGKILL')
    }
    let timer = setTimeout(hangs, PATIENCE)
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      clearTimeout(timer)
      timer = setTimeout(hangs, PATIENCE)
      last = text
      process.stdout.write(text.replace(/^ {5}.*\n/gm, '')) // what came of it, perhaps behind a sign of life
    })
    child.on('close', (code) => {
      clearTimeout(timer)
      resolve(code === 0)
    })
  })
}

if (values.here) {
  await fuzz(values.target!)
} else {
  let ok = true
  for (const { name } of TARGETS)
    if (values.target === undefined || values.target === name) ok = (await guarded(name)) && ok
  if (!ok) process.exitCode = 1
}
