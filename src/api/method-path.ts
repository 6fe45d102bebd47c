import type { MethodTable } from './methods/method.js'

/** Methods by their names. */
type Methods = Record<PropertyKey, unknown>
type Call = (...args: never[]) => unknown

/**
 * The method of a memory that a registered name stands for: of `graph.neighbours` that of its member `graph`. A method
 * of a class is bound to its object.
 */
export function methodAt<F = (...args: unknown[]) => unknown>(db: object, name: string): F {
  const [owner, last] = ownerOf(db as Methods, name)
  return (owner[last] as { bind(owner: object): F }).bind(owner)
}

/** Gives a memory a method under its registered name: the members on the way are made. */
export function putMethod(db: object, name: string, call: Call): void {
  const [owner, last] = ownerOf(db as Methods, name)
  Object.defineProperty(owner, last, { value: call, writable: true, enumerable: true, configurable: true })
}

/** Makes the members of a memory that hold methods unchangeable, and the memory itself. */
export function frozen<T extends object>(db: T, methods: MethodTable): T {
  for (const name of Object.keys(methods)) Object.freeze(ownerOf(db as Methods, name)[0])
  return Object.freeze(db)
}

/** The object that has a method, and the name of the method there. */
function ownerOf(db: Methods, name: string): [owner: Methods, last: string] {
  const dot = name.indexOf('.')
  if (dot < 0) return [db, name]
  const member = name.slice(0, dot)
  if (!Object.hasOwn(db, member) && db[member] === undefined)
    Object.defineProperty(db, member, { value: {}, enumerable: true, configurable: true })
  return [db[member] as Methods, name.slice(dot + 1)]
}
