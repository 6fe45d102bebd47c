import type { Checked, Severity, Problem, ProblemCode } from './verify.js'

/** Problems as they are found: one entry for each code, with a count. */
export class Findings {
  readonly #problems = new Map<ProblemCode, Problem>()
  readonly checked = { commits: 0, rows: 0, bytes: 0, parts: 0, mirrored: 0 } satisfies Checked

  /** `message` and `details` stay those of the first; the worst harm counts. */
  add(
    code: ProblemCode,
    harm: Severity,
    message: string,
    details: Readonly<Record<string, unknown>> = {},
    count = 1,
  ): void {
    const before = this.#problems.get(code)
    if (before === undefined) this.#problems.set(code, { code, harm, count, message, details })
    else this.#problems.set(code, { ...before, harm: worse(before.harm, harm), count: before.count + count })
  }

  get problems(): Problem[] {
    return [...this.#problems.values()]
  }

  /** Whether one of these was found. */
  has(...codes: readonly ProblemCode[]): boolean {
    return codes.some((code) => this.#problems.has(code))
  }
}

function worse(a: Severity, b: Severity): Severity {
  const order: readonly Severity[] = ['none', 'mendable', 'loss']
  return order.indexOf(a) > order.indexOf(b) ? a : b
}
