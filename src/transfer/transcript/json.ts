/** A parsed JSON object. Its members are read by name with {@link member}, which sees own properties only. */
export type JsonObject = Readonly<Record<string, unknown>>

/**
 * The value of a JSON text, or the reason why it has none. Never throws: some parsers run out of stack on deep nesting.
 */
export function parseJson(text: string): { readonly value: unknown } | { readonly fault: string } {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch (error) {
    return { fault: error instanceof SyntaxError ? 'is no valid JSON' : 'is nested too deeply' }
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An own member; `undefined` when there is none or it is null. */
export function member(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? (object[name] ?? undefined) : undefined
}

/** An own member that is an object. */
export function objectMember(object: JsonObject, name: string): JsonObject | undefined {
  const value = member(object, name)
  return isObject(value) ? value : undefined
}

/** An own member that is a string with something in it. */
export function stringMember(object: JsonObject, name: string): string | undefined {
  const value = member(object, name)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** An own member that is an array; an empty one when there is none. */
export function arrayMember(object: JsonObject, name: string): readonly unknown[] {
  const value = member(object, name)
  return Array.isArray(value) ? value : []
}
