/**
 * What became of a memory that was attacked, as its user learns of it.
 *
 * - `detected`: something is lost or changed, and a code or a report says so.
 * - `repaired`: everything is there, and a report says what was mended.
 * - `intact`: everything is there.
 * - `silent loss`: something is lost or changed, and nothing says so. This must never happen.
 */
export type Outcome = 'detected' | 'repaired' | 'intact' | 'silent loss'

/** One way to damage a memory. */
export interface Attack {
  /** The name of its file, without `.ts`. */
  readonly name: string
  /** What it does, in one line. */
  readonly summary: string
  /** Why it cannot be made on this machine; `undefined` when it can. */
  impossible?(): string | undefined
  /**
   * Makes a memory, attacks it, and looks what became of it. The same seed attacks in the same way. Rejects only when
   * the attack itself fails.
   */
  run(seed: number): Promise<Outcome>
}
