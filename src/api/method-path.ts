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
  const owners = Object.keys(methods).map((name) => ownerOf(db as Methods, name)[0])
  for (const owner of new Set(owners)) Object.freeze(owner)
  return Object.freeze(db)
}

/** The object that has a method, and the name of the method there. */
function ownerOf(db: Methods, name: string): [owner: Methods, last: string] {
  const members = name.split('.')
  const last = members.pop()!
  let owner = db
  for (const member of members) {
    if (!Object.hasOwn(owner, member) && owner[member] === undefined)
      Object.defineProperty(owner, member, { value: {}, enumerable: true, configurable: true })
    owner = owner[member] as Methods
  }
  return [owner, last]
}
