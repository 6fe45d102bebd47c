import { z } from 'zod'
import { AgidbError } from '../base/errors.js'
import type { Filter } from '../api/filter.js'
import type { JsonObject } from '../api/json.js'

/** Arguments that several tools take. The memory itself checks lengths, times and filters. */
export const id = z.string().describe('an id, as an earlier answer gave it')
export const time = z.string().describe('a time in ISO 8601, such as 2026-05-01T19:00:00Z')
export const names = z.union([z.string(), z.array(z.string())]).describe('a name, or several')
export const tags = z.array(z.string()).describe('labels to filter by')
export const metadata = z
  .custom<JsonObject>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), {
    error: 'expected an object',
  })
  .meta({ type: 'object', description: 'any JSON object of up to 16 KiB; given back unchanged' })
export const filter = z
  .custom<Filter>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), {
    error: 'expected an object',
  })
  .meta({
    type: 'object',
    description: 'a filter: {id, speaker, session, source, tags, at, recordedAt, expiresAt, metadata, and, or, not}',
  })
export const triple = z.strictObject({ subject: z.string(), predicate: z.string(), object: z.string() })
export const limit = (most: number, usual: number) =>
  z.number().int().min(1).max(most).default(usual).describe(`how many, 1 to ${most}; default ${usual}`)
export const perspective = z
  .string()
  .describe('intentions, people, temporal, knowledge, decisions, learnings, session, or one of your own')

/** A list in an answer. */
export const records = z.array(z.looseObject({}))

/**
 * An argument that an action of a tool needs.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT` where it is not given
 */
export function needed<T>(tool: string, action: string, name: string, value: T | undefined): T {
  if (value !== undefined) return value
  throw new AgidbError('AGIDB_INVALID_ARGUMENT', `${tool}: the action ${action} needs ${name}`, { what: name })
}
