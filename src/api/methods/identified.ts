/** What will become an episode, with an id. What is no plain object is left for the engine to refuse. */
export function identified(value: unknown, newId: (prefix: string) => string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return (value as { readonly id?: unknown }).id === undefined ? { ...value, id: newId('ep_') } : value
}
