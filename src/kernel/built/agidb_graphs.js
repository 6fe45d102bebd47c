/* @ts-self-types="./agidb_graphs.d.ts" */

export class WasmAssociations {
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        WasmAssociationsFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_wasmassociations_free(ptr, 0);
    }
    /**
     * @param {Uint32Array} seeds
     * @param {Float32Array} strengths
     * @param {number} depth
     * @param {number} most
     * @param {number} attenuation
     * @returns {Uint32Array}
     */
    activate(seeds, strengths, depth, most, attenuation) {
        const ptr0 = passArray32ToWasm0(seeds, wasm.__wbindgen_malloc);
        const len0 = WASM_VECTOR_LEN;
        const ptr1 = passArrayF32ToWasm0(strengths, wasm.__wbindgen_malloc);
        const len1 = WASM_VECTOR_LEN;
        const ret = wasm.wasmassociations_activate(this.__wbg_ptr, ptr0, len0, ptr1, len1, depth, most, attenuation);
        var v3 = getArrayU32FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 4, 4);
        return v3;
    }
    /**
     * @param {number} factor
     * @param {number} from
     * @param {number} end
     */
    decay(factor, from, end) {
        wasm.wasmassociations_decay(this.__wbg_ptr, factor, from, end);
    }
    /**
     * Whether it was saved so; otherwise the graph is to be freed.
     * @param {Uint8Array} body
     * @param {number} count
     * @returns {boolean}
     */
    load(body, count) {
        const ptr0 = passArray8ToWasm0(body, wasm.__wbindgen_malloc);
        const len0 = WASM_VECTOR_LEN;
        const ret = wasm.wasmassociations_load(this.__wbg_ptr, ptr0, len0, count);
        return ret !== 0;
    }
    /**
     * Slots, each with the bits of its weight.
     * @param {number} slot
     * @returns {Uint32Array}
     */
    neighbours(slot) {
        const ret = wasm.wasmassociations_neighbours(this.__wbg_ptr, slot);
        var v1 = getArrayU32FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 4, 4);
        return v1;
    }
    constructor() {
        const ret = wasm.wasmassociations_new();
        this.__wbg_ptr = ret;
        WasmAssociationsFinalization.register(this, this.__wbg_ptr, this);
        return this;
    }
    /**
     * @returns {Uint8Array}
     */
    save() {
        const ret = wasm.wasmassociations_save(this.__wbg_ptr);
        var v1 = getArrayU8FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 1, 1);
        return v1;
    }
    /**
     * @param {number} a
     * @param {number} b
     * @param {number} weight
     * @returns {number}
     */
    set(a, b, weight) {
        const ret = wasm.wasmassociations_set(this.__wbg_ptr, a, b, weight);
        return ret;
    }
    /**
     * Nodes, edges, or bytes.
     * @param {number} of
     * @returns {number}
     */
    size(of) {
        const ret = wasm.wasmassociations_size(this.__wbg_ptr, of);
        return ret >>> 0;
    }
    /**
     * @param {number} a
     * @param {number} b
     * @returns {number}
     */
    weight(a, b) {
        const ret = wasm.wasmassociations_weight(this.__wbg_ptr, a, b);
        return ret;
    }
}
if (Symbol.dispose) WasmAssociations.prototype[Symbol.dispose] = WasmAssociations.prototype.free;

export class WasmChain {
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        WasmChainFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_wasmchain_free(ptr, 0);
    }
    /**
     * @param {number} slot
     * @param {number} session
     * @param {number} previous
     * @param {number} next
     */
    insert(slot, session, previous, next) {
        wasm.wasmchain_insert(this.__wbg_ptr, slot, session, previous, next);
    }
    /**
     * As [`WasmAssociations::load`].
     * @param {Uint8Array} body
     * @param {number} count
     * @returns {boolean}
     */
    load(body, count) {
        const ptr0 = passArray8ToWasm0(body, wasm.__wbindgen_malloc);
        const len0 = WASM_VECTOR_LEN;
        const ret = wasm.wasmchain_load(this.__wbg_ptr, ptr0, len0, count);
        return ret !== 0;
    }
    constructor() {
        const ret = wasm.wasmchain_new();
        this.__wbg_ptr = ret;
        WasmChainFinalization.register(this, this.__wbg_ptr, this);
        return this;
    }
    /**
     * @param {number} slot
     * @returns {boolean}
     */
    remove(slot) {
        const ret = wasm.wasmchain_remove(this.__wbg_ptr, slot);
        return ret !== 0;
    }
    /**
     * @returns {Uint8Array}
     */
    save() {
        const ret = wasm.wasmchain_save(this.__wbg_ptr);
        var v1 = getArrayU8FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 1, 1);
        return v1;
    }
    /**
     * @param {number} slot
     * @returns {number | undefined}
     */
    session(slot) {
        const ret = wasm.wasmchain_session(this.__wbg_ptr, slot);
        return ret === Number.MAX_SAFE_INTEGER ? undefined : ret;
    }
    /**
     * Nodes, or bytes.
     * @param {number} of
     * @returns {number}
     */
    size(of) {
        const ret = wasm.wasmchain_size(this.__wbg_ptr, of);
        return ret >>> 0;
    }
    /**
     * The next slot of its list, or the previous one.
     * @param {number} slot
     * @param {boolean} forward
     * @returns {number}
     */
    step(slot, forward) {
        const ret = wasm.wasmchain_step(this.__wbg_ptr, slot, forward);
        return ret >>> 0;
    }
}
if (Symbol.dispose) WasmChain.prototype[Symbol.dispose] = WasmChain.prototype.free;

export class WasmEntities {
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        WasmEntitiesFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_wasmentities_free(ptr, 0);
    }
    /**
     * @param {Uint32Array} seeds
     * @param {Float32Array} strengths
     * @param {number} depth
     * @param {number} attenuation
     * @param {number} fan
     * @param {number} most
     * @param {number} answer
     * @returns {Uint32Array}
     */
    activate(seeds, strengths, depth, attenuation, fan, most, answer) {
        const ptr0 = passArray32ToWasm0(seeds, wasm.__wbindgen_malloc);
        const len0 = WASM_VECTOR_LEN;
        const ptr1 = passArrayF32ToWasm0(strengths, wasm.__wbindgen_malloc);
        const len1 = WASM_VECTOR_LEN;
        const ret = wasm.wasmentities_activate(this.__wbg_ptr, ptr0, len0, ptr1, len1, depth, attenuation, fan, most, answer);
        var v3 = getArrayU32FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 4, 4);
        return v3;
    }
    /**
     * @param {number} low
     * @param {number} high
     * @param {number} of_type
     * @returns {number}
     */
    add(low, high, of_type) {
        const ret = wasm.wasmentities_add(this.__wbg_ptr, low, high, of_type);
        return ret >>> 0;
    }
    /**
     * @param {number} entity
     */
    dropIfBare(entity) {
        wasm.wasmentities_dropIfBare(this.__wbg_ptr, entity);
    }
    /**
     * @param {number} slot
     * @returns {Uint32Array}
     */
    entitiesOf(slot) {
        const ret = wasm.wasmentities_entitiesOf(this.__wbg_ptr, slot);
        var v1 = getArrayU32FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 4, 4);
        return v1;
    }
    /**
     * @param {number} low
     * @param {number} high
     * @returns {number | undefined}
     */
    find(low, high) {
        const ret = wasm.wasmentities_find(this.__wbg_ptr, low, high);
        return ret === Number.MAX_SAFE_INTEGER ? undefined : ret;
    }
    /**
     * @param {number} entity
     * @returns {boolean}
     */
    has(entity) {
        const ret = wasm.wasmentities_has(this.__wbg_ptr, entity);
        return ret !== 0;
    }
    /**
     * @param {number} entity
     * @param {number} slot
     * @returns {boolean}
     */
    link(entity, slot) {
        const ret = wasm.wasmentities_link(this.__wbg_ptr, entity, slot);
        return ret !== 0;
    }
    /**
     * As [`WasmAssociations::load`].
     * @param {Uint8Array} body
     * @param {number} count
     * @returns {boolean}
     */
    load(body, count) {
        const ptr0 = passArray8ToWasm0(body, wasm.__wbindgen_malloc);
        const len0 = WASM_VECTOR_LEN;
        const ret = wasm.wasmentities_load(this.__wbg_ptr, ptr0, len0, count);
        return ret !== 0;
    }
    constructor() {
        const ret = wasm.wasmentities_new();
        this.__wbg_ptr = ret;
        WasmEntitiesFinalization.register(this, this.__wbg_ptr, this);
        return this;
    }
    /**
     * @param {number} entity
     * @returns {number}
     */
    references(entity) {
        const ret = wasm.wasmentities_references(this.__wbg_ptr, entity);
        return ret >>> 0;
    }
    /**
     * @param {number} from
     * @param {number} to
     * @param {number} of_type
     * @returns {number}
     */
    relation(from, to, of_type) {
        const ret = wasm.wasmentities_relation(this.__wbg_ptr, from, to, of_type);
        return ret;
    }
    /**
     * Of each the other entity, its type with a bit for its direction, and the bits of its weight.
     * @param {number} entity
     * @returns {Uint32Array}
     */
    relations(entity) {
        const ret = wasm.wasmentities_relations(this.__wbg_ptr, entity);
        var v1 = getArrayU32FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 4, 4);
        return v1;
    }
    /**
     * @param {number} entity
     * @param {number} to
     */
    retype(entity, to) {
        wasm.wasmentities_retype(this.__wbg_ptr, entity, to);
    }
    /**
     * @returns {Uint8Array}
     */
    save() {
        const ret = wasm.wasmentities_save(this.__wbg_ptr);
        var v1 = getArrayU8FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 1, 1);
        return v1;
    }
    /**
     * @param {number} from
     * @param {number} to
     * @param {number} of_type
     * @param {number} weight
     * @returns {number}
     */
    setRelation(from, to, of_type, weight) {
        const ret = wasm.wasmentities_setRelation(this.__wbg_ptr, from, to, of_type, weight);
        return ret;
    }
    /**
     * Entities, links, episodes, relations, or bytes.
     * @param {number} of
     * @returns {number}
     */
    size(of) {
        const ret = wasm.wasmentities_size(this.__wbg_ptr, of);
        return ret >>> 0;
    }
    /**
     * @param {number} entity
     * @param {number} from
     * @param {number} most
     * @returns {Uint32Array}
     */
    slots(entity, from, most) {
        const ret = wasm.wasmentities_slots(this.__wbg_ptr, entity, from, most);
        var v1 = getArrayU32FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 4, 4);
        return v1;
    }
    /**
     * @param {number} entity
     * @returns {number}
     */
    specificity(entity) {
        const ret = wasm.wasmentities_specificity(this.__wbg_ptr, entity);
        return ret;
    }
    /**
     * @param {number} entity
     * @returns {number}
     */
    typeOf(entity) {
        const ret = wasm.wasmentities_typeOf(this.__wbg_ptr, entity);
        return ret >>> 0;
    }
    /**
     * @param {number} entity
     * @param {number} slot
     * @returns {boolean}
     */
    unlink(entity, slot) {
        const ret = wasm.wasmentities_unlink(this.__wbg_ptr, entity, slot);
        return ret !== 0;
    }
}
if (Symbol.dispose) WasmEntities.prototype[Symbol.dispose] = WasmEntities.prototype.free;

export class WasmTags {
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        WasmTagsFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_wasmtags_free(ptr, 0);
    }
    /**
     * @param {number} factor
     */
    decay(factor) {
        wasm.wasmtags_decay(this.__wbg_ptr, factor);
    }
    /**
     * The words of a link, or none.
     * @param {Uint32Array} key
     * @returns {Uint32Array}
     */
    get(key) {
        const ptr0 = passArray32ToWasm0(key, wasm.__wbindgen_malloc);
        const len0 = WASM_VECTOR_LEN;
        const ret = wasm.wasmtags_get(this.__wbg_ptr, ptr0, len0);
        var v2 = getArrayU32FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 4, 4);
        return v2;
    }
    /**
     * @param {number} low
     * @param {number} high
     * @param {number} side
     * @returns {Uint32Array}
     */
    links(low, high, side) {
        const ret = wasm.wasmtags_links(this.__wbg_ptr, low, high, side);
        var v1 = getArrayU32FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 4, 4);
        return v1;
    }
    /**
     * @param {number} bytes
     */
    constructor(bytes) {
        const ret = wasm.wasmtags_new(bytes);
        this.__wbg_ptr = ret;
        WasmTagsFinalization.register(this, this.__wbg_ptr, this);
        return this;
    }
    /**
     * @param {Uint32Array} key
     * @returns {boolean}
     */
    remove(key) {
        const ptr0 = passArray32ToWasm0(key, wasm.__wbindgen_malloc);
        const len0 = WASM_VECTOR_LEN;
        const ret = wasm.wasmtags_remove(this.__wbg_ptr, ptr0, len0);
        return ret !== 0;
    }
    /**
     * @param {Uint32Array} link
     */
    set(link) {
        const ptr0 = passArray32ToWasm0(link, wasm.__wbindgen_malloc);
        const len0 = WASM_VECTOR_LEN;
        wasm.wasmtags_set(this.__wbg_ptr, ptr0, len0);
    }
    /**
     * Links, or bytes.
     * @param {number} of
     * @returns {number}
     */
    size(of) {
        const ret = wasm.wasmtags_size(this.__wbg_ptr, of);
        return ret >>> 0;
    }
}
if (Symbol.dispose) WasmTags.prototype[Symbol.dispose] = WasmTags.prototype.free;

/**
 * `weights` and `counts` are the fields of [`Rank`] in their order.
 * @param {WasmAssociations} associations
 * @param {WasmChain} chain
 * @param {WasmEntities} entities
 * @param {Uint32Array} seeds
 * @param {Float32Array} strengths
 * @param {Float32Array} weights
 * @param {Uint32Array} counts
 * @returns {Uint32Array}
 */
export function pageRank(associations, chain, entities, seeds, strengths, weights, counts) {
    _assertClass(associations, WasmAssociations);
    _assertClass(chain, WasmChain);
    _assertClass(entities, WasmEntities);
    const ptr0 = passArray32ToWasm0(seeds, wasm.__wbindgen_malloc);
    const len0 = WASM_VECTOR_LEN;
    const ptr1 = passArrayF32ToWasm0(strengths, wasm.__wbindgen_malloc);
    const len1 = WASM_VECTOR_LEN;
    const ptr2 = passArrayF32ToWasm0(weights, wasm.__wbindgen_malloc);
    const len2 = WASM_VECTOR_LEN;
    const ptr3 = passArray32ToWasm0(counts, wasm.__wbindgen_malloc);
    const len3 = WASM_VECTOR_LEN;
    const ret = wasm.pageRank(associations.__wbg_ptr, chain.__wbg_ptr, entities.__wbg_ptr, ptr0, len0, ptr1, len1, ptr2, len2, ptr3, len3);
    var v5 = getArrayU32FromWasm0(ret[0], ret[1]).slice();
    wasm.__wbindgen_free(ret[0], ret[1] * 4, 4);
    return v5;
}
function __wbg_get_imports() {
    const import0 = {
        __proto__: null,
        __wbg___wbindgen_throw_344f42d3211c4765: function(arg0, arg1) {
            throw new Error(getStringFromWasm0(arg0, arg1));
        },
        __wbindgen_init_externref_table: function() {
            const table = wasm.__wbindgen_externrefs;
            const offset = table.grow(4);
            table.set(0, undefined);
            table.set(offset + 0, undefined);
            table.set(offset + 1, null);
            table.set(offset + 2, true);
            table.set(offset + 3, false);
        },
    };
    return {
        __proto__: null,
        "./agidb_graphs_bg.js": import0,
    };
}

const WasmAssociationsFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_wasmassociations_free(ptr, 1));
const WasmChainFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_wasmchain_free(ptr, 1));
const WasmEntitiesFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_wasmentities_free(ptr, 1));
const WasmTagsFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_wasmtags_free(ptr, 1));

function _assertClass(instance, klass) {
    if (!(instance instanceof klass)) {
        throw new Error(`expected instance of ${klass.name}`);
    }
}

function getArrayU32FromWasm0(ptr, len) {
    ptr = ptr >>> 0;
    return getUint32ArrayMemory0().subarray(ptr / 4, ptr / 4 + len);
}

function getArrayU8FromWasm0(ptr, len) {
    ptr = ptr >>> 0;
    return getUint8ArrayMemory0().subarray(ptr / 1, ptr / 1 + len);
}

let cachedFloat32ArrayMemory0 = null;
function getFloat32ArrayMemory0() {
    if (cachedFloat32ArrayMemory0 === null || cachedFloat32ArrayMemory0.byteLength === 0) {
        cachedFloat32ArrayMemory0 = new Float32Array(wasm.memory.buffer);
    }
    return cachedFloat32ArrayMemory0;
}

function getStringFromWasm0(ptr, len) {
    return decodeText(ptr >>> 0, len);
}

let cachedUint32ArrayMemory0 = null;
function getUint32ArrayMemory0() {
    if (cachedUint32ArrayMemory0 === null || cachedUint32ArrayMemory0.byteLength === 0) {
        cachedUint32ArrayMemory0 = new Uint32Array(wasm.memory.buffer);
    }
    return cachedUint32ArrayMemory0;
}

let cachedUint8ArrayMemory0 = null;
function getUint8ArrayMemory0() {
    if (cachedUint8ArrayMemory0 === null || cachedUint8ArrayMemory0.byteLength === 0) {
        cachedUint8ArrayMemory0 = new Uint8Array(wasm.memory.buffer);
    }
    return cachedUint8ArrayMemory0;
}

function passArray32ToWasm0(arg, malloc) {
    const ptr = malloc(arg.length * 4, 4) >>> 0;
    getUint32ArrayMemory0().set(arg, ptr / 4);
    WASM_VECTOR_LEN = arg.length;
    return ptr;
}

function passArray8ToWasm0(arg, malloc) {
    const ptr = malloc(arg.length * 1, 1) >>> 0;
    getUint8ArrayMemory0().set(arg, ptr / 1);
    WASM_VECTOR_LEN = arg.length;
    return ptr;
}

function passArrayF32ToWasm0(arg, malloc) {
    const ptr = malloc(arg.length * 4, 4) >>> 0;
    getFloat32ArrayMemory0().set(arg, ptr / 4);
    WASM_VECTOR_LEN = arg.length;
    return ptr;
}

let cachedTextDecoder = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true });
cachedTextDecoder.decode();
const MAX_SAFARI_DECODE_BYTES = 2146435072;
let numBytesDecoded = 0;
function decodeText(ptr, len) {
    numBytesDecoded += len;
    if (numBytesDecoded >= MAX_SAFARI_DECODE_BYTES) {
        cachedTextDecoder = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true });
        cachedTextDecoder.decode();
        numBytesDecoded = len;
    }
    return cachedTextDecoder.decode(getUint8ArrayMemory0().subarray(ptr, ptr + len));
}

let WASM_VECTOR_LEN = 0;

let wasmModule, wasmInstance, wasm;
function __wbg_finalize_init(instance, module) {
    wasmInstance = instance;
    wasm = instance.exports;
    wasmModule = module;
    cachedFloat32ArrayMemory0 = null;
    cachedUint32ArrayMemory0 = null;
    cachedUint8ArrayMemory0 = null;
    wasm.__wbindgen_start();
    return wasm;
}

export default async function instantiate(module) {
    return wasm ?? __wbg_finalize_init(await WebAssembly.instantiate(module, __wbg_get_imports()));
}

export function adopt(exports) {
    wasm = exports;
}
