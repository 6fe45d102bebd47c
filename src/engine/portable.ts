import { exportMemory } from './export.js'
import { readExportInto } from './import.js'

/** Brings memories out and in. Most programs seldom do, so it is loaded when the first one is exported or imported. */
export interface Portable {
  readonly exportMemory: typeof exportMemory
  readonly readExportInto: typeof readExportInto
}

export { exportMemory, readExportInto }
