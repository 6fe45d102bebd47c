import type { EngineParts } from './parts.js'
import type { EngineSettings } from './settings.js'

/** All that the engine is opened with. */
export interface EngineOptions extends EngineSettings {
  readonly parts: EngineParts
}
