/* tslint:disable */
/* eslint-disable */

export class WasmAssociations {
  free(): void
  [Symbol.dispose](): void
  activate(seeds: Uint32Array, strengths: Float32Array, depth: number, most: number, attenuation: number): Uint32Array
  decay(factor: number, from: number, end: number): void
  /**
   * Whether it was saved so; otherwise the graph is to be freed.
   */
  load(body: Uint8Array, count: number): boolean
  /**
   * Slots, each with the bits of its weight.
   */
  neighbours(slot: number): Uint32Array
  constructor()
  save(): Uint8Array
  set(a: number, b: number, weight: number): number
  /**
   * Nodes, edges, or bytes.
   */
  size(of: number): number
  weight(a: number, b: number): number
}

export class WasmChain {
  free(): void
  [Symbol.dispose](): void
  insert(slot: number, session: number, previous: number, next: number): void
  /**
   * As [`WasmAssociations::load`].
   */
  load(body: Uint8Array, count: number): boolean
  constructor()
  remove(slot: number): boolean
  save(): Uint8Array
  session(slot: number): number | undefined
  /**
   * Nodes, or bytes.
   */
  size(of: number): number
  /**
   * The next slot of its list, or the previous one.
   */
  step(slot: number, forward: boolean): number
}

export class WasmEntities {
  free(): void
  [Symbol.dispose](): void
  activate(
    seeds: Uint32Array,
    strengths: Float32Array,
    depth: number,
    attenuation: number,
    fan: number,
    most: number,
    answer: number,
  ): Uint32Array
  add(low: number, high: number, of_type: number): number
  dropIfBare(entity: number): void
  entitiesOf(slot: number): Uint32Array
  find(low: number, high: number): number | undefined
  has(entity: number): boolean
  link(entity: number, slot: number): boolean
  /**
   * As [`WasmAssociations::load`].
   */
  load(body: Uint8Array, count: number): boolean
  constructor()
  references(entity: number): number
  relation(from: number, to: number, of_type: number): number
  /**
   * Of each the other entity, its type with a bit for its direction, and the bits of its weight.
   */
  relations(entity: number): Uint32Array
  retype(entity: number, to: number): void
  save(): Uint8Array
  setRelation(from: number, to: number, of_type: number, weight: number): number
  /**
   * Entities, links, episodes, relations, or bytes.
   */
  size(of: number): number
  slots(entity: number, from: number, most: number): Uint32Array
  specificity(entity: number): number
  typeOf(entity: number): number
  unlink(entity: number, slot: number): boolean
}

export class WasmTags {
  free(): void
  [Symbol.dispose](): void
  decay(factor: number): void
  /**
   * The words of a link, or none.
   */
  get(key: Uint32Array): Uint32Array
  links(low: number, high: number, side: number): Uint32Array
  constructor(bytes: number)
  remove(key: Uint32Array): boolean
  set(link: Uint32Array): void
  /**
   * Links, or bytes.
   */
  size(of: number): number
}

/**
 * `weights` and `counts` are the fields of [`Rank`] in their order.
 */
export function pageRank(
  associations: WasmAssociations,
  chain: WasmChain,
  entities: WasmEntities,
  seeds: Uint32Array,
  strengths: Float32Array,
  weights: Float32Array,
  counts: Uint32Array,
): Uint32Array

export interface InitOutput {
  readonly memory: WebAssembly.Memory
  readonly __wbg_wasmassociations_free: (a: number, b: number) => void
  readonly __wbg_wasmchain_free: (a: number, b: number) => void
  readonly __wbg_wasmentities_free: (a: number, b: number) => void
  readonly __wbg_wasmtags_free: (a: number, b: number) => void
  readonly pageRank: (
    a: number,
    b: number,
    c: number,
    d: number,
    e: number,
    f: number,
    g: number,
    h: number,
    i: number,
    j: number,
    k: number,
  ) => [number, number]
  readonly wasmassociations_activate: (
    a: number,
    b: number,
    c: number,
    d: number,
    e: number,
    f: number,
    g: number,
    h: number,
  ) => [number, number]
  readonly wasmassociations_decay: (a: number, b: number, c: number, d: number) => void
  readonly wasmassociations_load: (a: number, b: number, c: number, d: number) => number
  readonly wasmassociations_neighbours: (a: number, b: number) => [number, number]
  readonly wasmassociations_new: () => number
  readonly wasmassociations_save: (a: number) => [number, number]
  readonly wasmassociations_set: (a: number, b: number, c: number, d: number) => number
  readonly wasmassociations_size: (a: number, b: number) => number
  readonly wasmassociations_weight: (a: number, b: number, c: number) => number
  readonly wasmchain_insert: (a: number, b: number, c: number, d: number, e: number) => void
  readonly wasmchain_load: (a: number, b: number, c: number, d: number) => number
  readonly wasmchain_new: () => number
  readonly wasmchain_remove: (a: number, b: number) => number
  readonly wasmchain_save: (a: number) => [number, number]
  readonly wasmchain_session: (a: number, b: number) => number
  readonly wasmchain_size: (a: number, b: number) => number
  readonly wasmchain_step: (a: number, b: number, c: number) => number
  readonly wasmentities_activate: (
    a: number,
    b: number,
    c: number,
    d: number,
    e: number,
    f: number,
    g: number,
    h: number,
    i: number,
    j: number,
  ) => [number, number]
  readonly wasmentities_add: (a: number, b: number, c: number, d: number) => number
  readonly wasmentities_dropIfBare: (a: number, b: number) => void
  readonly wasmentities_entitiesOf: (a: number, b: number) => [number, number]
  readonly wasmentities_find: (a: number, b: number, c: number) => number
  readonly wasmentities_has: (a: number, b: number) => number
  readonly wasmentities_link: (a: number, b: number, c: number) => number
  readonly wasmentities_load: (a: number, b: number, c: number, d: number) => number
  readonly wasmentities_new: () => number
  readonly wasmentities_references: (a: number, b: number) => number
  readonly wasmentities_relation: (a: number, b: number, c: number, d: number) => number
  readonly wasmentities_relations: (a: number, b: number) => [number, number]
  readonly wasmentities_retype: (a: number, b: number, c: number) => void
  readonly wasmentities_save: (a: number) => [number, number]
  readonly wasmentities_setRelation: (a: number, b: number, c: number, d: number, e: number) => number
  readonly wasmentities_size: (a: number, b: number) => number
  readonly wasmentities_slots: (a: number, b: number, c: number, d: number) => [number, number]
  readonly wasmentities_specificity: (a: number, b: number) => number
  readonly wasmentities_typeOf: (a: number, b: number) => number
  readonly wasmentities_unlink: (a: number, b: number, c: number) => number
  readonly wasmtags_decay: (a: number, b: number) => void
  readonly wasmtags_get: (a: number, b: number, c: number) => [number, number]
  readonly wasmtags_links: (a: number, b: number, c: number, d: number) => [number, number]
  readonly wasmtags_new: (a: number) => number
  readonly wasmtags_remove: (a: number, b: number, c: number) => number
  readonly wasmtags_set: (a: number, b: number, c: number) => void
  readonly wasmtags_size: (a: number, b: number) => number
  readonly __wbindgen_externrefs: WebAssembly.Table
  readonly __wbindgen_malloc: (a: number, b: number) => number
  readonly __wbindgen_free: (a: number, b: number, c: number) => void
  readonly __wbindgen_start: () => void
}

/**
 * Instantiates a compiled module once; later calls answer the exports of the first one.
 */
export default function instantiate(module: WebAssembly.Module): Promise<InitOutput>

/**
 * Uses the graphs of an instance of the whole kernel, instead of an instance of their own.
 */
export function adopt(exports: object): void;
