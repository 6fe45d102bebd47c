import { AgidbError } from '../../src/base/errors.js'
import { largestAllocation } from './allocations.js'
import type { Random } from './mutate.js'

/** Something that takes what it is given, and may refuse it with an {@link AgidbError}. */
export interface Target {
  readonly name: string
  /** How far an input can come, in order: past which checks. At least the share that is named here must come so far. */
  readonly stages: Readonly<Record<string, number>>
  /** Makes an input and gives it to what is tested. Says how far that comes. */
  run(from: Random, probe: Probe): Promise<void>
  /** Lets go of what the inputs shared. */
  end?(): Promise<void>
}

/** Bytes of one buffer that an input may make the program ask for, where the target does not allow more. */
const MOST_BYTES = 4 * 2 ** 20
/** Milliseconds that one input may take. */
const MOST_MS = 5_000

/** What a run says of its input. */
export class Probe {
  /** Bytes of one buffer that the input may make the program ask for. */
  allowed = MOST_BYTES
  readonly stages = new Set<string>()
  /** How it was refused. */
  refusal: string | undefined

  reached(stage: string): void {
    this.stages.add(stage)
  }
}

/** Gives one input to a target. @throws what is wrong with the target: anything else than an orderly refusal. */
export async function tryOne(target: Target, from: Random): Promise<Probe> {
  const probe = new Probe()
  const started = performance.now()
  const bytes = await largestAllocation(async () => {
    try {
      await target.run(from, probe)
    } catch (error) {
      if (!(error instanceof AgidbError) || error.code === 'AGIDB_INTERNAL') throw error
      probe.refusal = reason(error)
    }
  })
  const ms = performance.now() - started
  if (ms > MOST_MS) throw new Error(`it took ${Math.round(ms)} ms`)
  if (bytes > probe.allowed) throw new Error(`it asked for ${bytes} bytes at once, of ${probe.allowed}`)
  return probe
}

/** How an input was refused, without what is particular to it. */
function reason({ code, message }: AgidbError): string {
  return `${code} ${message.replace(/"[^"]*"|'[^']*'|[\d.,:]+/g, '#').slice(0, 80)}`
}

/** How far the inputs of a target came. */
export class Depth {
  inputs = 0
  readonly #target: Target
  readonly #stages = new Map<string, number>()
  readonly #refusals = new Set<string>()

  constructor(target: Target) {
    this.#target = target
  }

  add({ stages, refusal }: Probe): void {
    this.inputs++
    for (const stage of stages) this.#stages.set(stage, (this.#stages.get(stage) ?? 0) + 1)
    if (refusal !== undefined) this.#refusals.add(refusal)
  }

  /** Stages that too few inputs came to. */
  get shallow(): string[] {
    return Object.entries(this.#target.stages).flatMap(([stage, least]) =>
      this.share(stage) < least ? [`${stage}: ${this.share(stage).toFixed(3)}, not ${least}`] : [],
    )
  }

  share(stage: string): number {
    return (this.#stages.get(stage) ?? 0) / this.inputs
  }

  toString(): string {
    const shares = Object.keys(this.#target.stages).map((stage) => `${stage} ${(100 * this.share(stage)).toFixed(0)} %`)
    return `${shares.join(', ')}; refused in ${this.#refusals.size} ways`
  }
}
