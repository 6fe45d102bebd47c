import type { Agidb, CascadeNode } from '../../src/runtimes/browser/index.js'
import { wordsOf } from '../mind/frame.js'
import { short } from '../mind/said.js'
import { kindWords } from './words.js'
import type { Fold } from './fold.js'

/** Atoms that are looked through for a name. */
const ATOMS = 10_000

/** What the things of a cascade are called, read while they are still there. */
export class Names {
  readonly #db: Agidb
  #atoms: Promise<ReadonlyMap<string, string>> | undefined

  constructor(db: Agidb) {
    this.#db = db
  }

  /** What is drawn for a fold: the name of the thing, or how many there are. */
  async ofFold({ kind, ids }: Fold): Promise<string> {
    return (ids.length === 1 ? await this.of(kind, ids[0]) : undefined) ?? kindWords(kind, ids.length)
  }

  /** The beginning of what a thing says; `undefined` where it has no words of its own. */
  async of(kind: CascadeNode['kind'], id: string): Promise<string | undefined> {
    const text = await this.#textOf(kind, id)
    return text === undefined ? undefined : short(text)
  }

  async #textOf(kind: CascadeNode['kind'], id: string): Promise<string | undefined> {
    switch (kind) {
      case 'episode': {
        const episode = await this.#db.getEpisode(id)
        return episode?.speaker === undefined ? episode?.text : `${episode.speaker}: ${episode.text}`
      }
      case 'belief':
        return (await this.#db.getBelief(id))?.claim
      case 'goal':
        return (await this.#db.getGoal(id))?.description
      case 'procedure':
        return (await this.#db.getProcedure(id))?.name
      case 'atom':
        return (await this.#statements()).get(id)
      case 'recall':
        return (await this.#db.attentionTrace(id))?.cue
      case 'frame':
        return (await this.#db.workingState()).frames.filter((frame) => frame.id === id).map(wordsOf)[0]
    }
  }

  #statements(): Promise<ReadonlyMap<string, string>> {
    this.#atoms ??= this.#db
      .semanticAtoms({ limit: ATOMS })
      .then((atoms) => new Map(atoms.map(({ id, statement }) => [id, statement])))
    return this.#atoms
  }
}
