/** A value that JSON can say: no `undefined`, no `NaN`, no `Date`. */
export type JsonValue = string | number | boolean | null | JsonArray | JsonObject

/** A list of JSON values: an interface, since types that walk through others end at those (Playwright has one). */
export interface JsonArray extends ReadonlyArray<JsonValue> {}

/** An object of JSON values by name. */
export interface JsonObject {
  readonly [name: string]: JsonValue
}
