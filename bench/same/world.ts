import type { Database } from '../library.js'
import { CONCEPTS, SESSIONS, type Drawing } from './drawing.js'
import type { Known } from './floors.js'
import type { FixedMemory } from './memory.js'

/** A memory in the midst of its history, with the ids of what was made in it. */
export class World {
  readonly memory: FixedMemory
  readonly draw: Drawing
  readonly episodes: string[] = []
  readonly frames: string[] = []
  readonly goals: string[] = []
  readonly beliefs: string[] = []
  readonly procedures: string[] = []
  readonly recalls: string[] = []
  readonly times: number[] = []

  constructor(memory: FixedMemory, draw: Drawing) {
    this.memory = memory
    this.draw = draw
  }

  get db(): Database {
    return this.memory.db
  }

  get now(): number {
    return this.memory.now
  }

  /** A time within the last twenty minutes. */
  past(): number {
    return this.now - 1000 * this.draw.below(1200)
  }

  /** What all answers are asked about: a few times, and everything that was made. */
  get known(): Known {
    const { episodes, frames, goals, beliefs, procedures, times } = this
    const some = [times[0], times[times.length >> 1], times.at(-1)!]
    return { episodes, frames, goals, beliefs, procedures, sessions: SESSIONS, concepts: CONCEPTS, times: some }
  }
}

/** Keeps the id of what was made, and answers it. */
export async function made(ids: string[], making: Promise<string>): Promise<string> {
  const id = await making
  ids.push(id)
  return id
}
