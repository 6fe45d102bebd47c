/* @ts-self-types="./agidb_kernel.d.ts" */

/**
 * How a restoration ended.
 * @enum {0 | 1 | 2}
 */
export const Restored = Object.freeze({
    Whole: 0, "0": "Whole",
    OutOfMemory: 1, "1": "OutOfMemory",
    SlotTwice: 2, "2": "SlotTwice",
});

export class WasmArena {
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        WasmArenaFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_wasmarena_free(ptr, 0);
    }
    /**
     * @param {number} number
     * @returns {boolean}
     */
    admit(number) {
        const ret = wasm.wasmarena_admit(this.__wbg_ptr, number);
        return ret !== 0;
    }
    /**
     * The number of each awaited block, and how many signatures are to come with it.
     * @returns {Uint32Array}
     */
    awaited() {
        const ret = wasm.wasmarena_awaited(this.__wbg_ptr);
        var v1 = getArrayU32FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 4, 4);
        return v1;
    }
    /**
     * @param {number} number
     * @returns {Uint32Array}
     */
    awaitedSlots(number) {
        const ret = wasm.wasmarena_awaitedSlots(this.__wbg_ptr, number);
        var v1 = getArrayU32FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 4, 4);
        return v1;
    }
    /**
     * @param {number} slot
     * @returns {number | undefined}
     */
    awaits(slot) {
        const ret = wasm.wasmarena_awaits(this.__wbg_ptr, slot);
        return ret === Number.MAX_SAFE_INTEGER ? undefined : ret;
    }
    /**
     * Address and length.
     * @param {number} number
     * @returns {Uint32Array}
     */
    block(number) {
        const ret = wasm.wasmarena_block(this.__wbg_ptr, number);
        var v1 = getArrayU32FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 4, 4);
        return v1;
    }
    /**
     * @returns {number}
     */
    get blocks() {
        const ret = wasm.wasmarena_blocks(this.__wbg_ptr);
        return ret >>> 0;
    }
    /**
     * The slot of each place.
     * @returns {Uint32Array}
     */
    byPlace() {
        const ret = wasm.wasmarena_byPlace(this.__wbg_ptr);
        var v1 = getArrayU32FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 4, 4);
        return v1;
    }
    /**
     * @returns {number}
     */
    get bytes() {
        const ret = wasm.wasmarena_bytes(this.__wbg_ptr);
        return ret;
    }
    /**
     * @param {number} slot
     */
    clear(slot) {
        wasm.wasmarena_clear(this.__wbg_ptr, slot);
    }
    /**
     * @param {number} slot
     * @returns {Uint8Array | undefined}
     */
    get(slot) {
        const ret = wasm.wasmarena_get(this.__wbg_ptr, slot);
        let v1;
        if (ret[0] !== 0) {
            v1 = getArrayU8FromWasm0(ret[0], ret[1]).slice();
            wasm.__wbindgen_free(ret[0], ret[1] * 1, 1);
        }
        return v1;
    }
    /**
     * @param {number} slot
     * @returns {boolean}
     */
    has(slot) {
        const ret = wasm.wasmarena_has(this.__wbg_ptr, slot);
        return ret !== 0;
    }
    /**
     * Whether there were rows to make; none without memory for them.
     * @returns {boolean}
     */
    makeRows() {
        const ret = wasm.wasmarena_makeRows(this.__wbg_ptr);
        return ret !== 0;
    }
    /**
     * Address and length; empty where the block is not awaited.
     * @param {number} number
     * @param {number} bytes
     * @returns {Uint32Array}
     */
    more(number, bytes) {
        const ret = wasm.wasmarena_more(this.__wbg_ptr, number, bytes);
        var v1 = getArrayU32FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 4, 4);
        return v1;
    }
    /**
     * @param {number} rows
     */
    constructor(rows) {
        const ret = wasm.wasmarena_new(rows);
        this.__wbg_ptr = ret;
        WasmArenaFinalization.register(this, this.__wbg_ptr, this);
        return this;
    }
    /**
     * @param {Uint32Array} by_place
     * @param {Uint8Array} rows
     * @returns {Restored}
     */
    restore(by_place, rows) {
        const ptr0 = passArray32ToWasm0(by_place, wasm.__wbindgen_malloc);
        const len0 = WASM_VECTOR_LEN;
        const ptr1 = passArray8ToWasm0(rows, wasm.__wbindgen_malloc);
        const len1 = WASM_VECTOR_LEN;
        const ret = wasm.wasmarena_restore(this.__wbg_ptr, ptr0, len0, ptr1, len1);
        return ret;
    }
    /**
     * The signatures that are in no block.
     * @returns {Uint8Array}
     */
    rows() {
        const ret = wasm.wasmarena_rows(this.__wbg_ptr);
        var v1 = getArrayU8FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 1, 1);
        return v1;
    }
    /**
     * All slots, then all scores. `planes` is empty for a binary query.
     * @param {Uint8Array} signs
     * @param {Uint8Array} planes
     * @param {number} k
     * @param {Uint32Array | null} [allow]
     * @returns {Int32Array}
     */
    scan(signs, planes, k, allow) {
        const ptr0 = passArray8ToWasm0(signs, wasm.__wbindgen_malloc);
        const len0 = WASM_VECTOR_LEN;
        const ptr1 = passArray8ToWasm0(planes, wasm.__wbindgen_malloc);
        const len1 = WASM_VECTOR_LEN;
        var ptr2 = isLikeNone(allow) ? 0 : passArray32ToWasm0(allow, wasm.__wbindgen_malloc);
        var len2 = WASM_VECTOR_LEN;
        const ret = wasm.wasmarena_scan(this.__wbg_ptr, ptr0, len0, ptr1, len1, k, ptr2, len2);
        var v4 = getArrayI32FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 4, 4);
        return v4;
    }
    /**
     * The same for queries one after the other; `weighted` says which of them have planes.
     * @param {Uint8Array} signs
     * @param {Uint8Array} planes
     * @param {Uint8Array} weighted
     * @param {number} k
     * @param {Uint32Array | null} [allow]
     * @returns {Int32Array}
     */
    scanMany(signs, planes, weighted, k, allow) {
        const ptr0 = passArray8ToWasm0(signs, wasm.__wbindgen_malloc);
        const len0 = WASM_VECTOR_LEN;
        const ptr1 = passArray8ToWasm0(planes, wasm.__wbindgen_malloc);
        const len1 = WASM_VECTOR_LEN;
        const ptr2 = passArray8ToWasm0(weighted, wasm.__wbindgen_malloc);
        const len2 = WASM_VECTOR_LEN;
        var ptr3 = isLikeNone(allow) ? 0 : passArray32ToWasm0(allow, wasm.__wbindgen_malloc);
        var len3 = WASM_VECTOR_LEN;
        const ret = wasm.wasmarena_scanMany(this.__wbg_ptr, ptr0, len0, ptr1, len1, ptr2, len2, k, ptr3, len3);
        var v5 = getArrayI32FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 4, 4);
        return v5;
    }
    /**
     * As [`WasmArena::scan`].
     * @param {Uint8Array} signs
     * @param {Uint8Array} planes
     * @param {number} k
     * @param {Uint32Array | null} [allow]
     * @returns {Int32Array}
     */
    scanPruned(signs, planes, k, allow) {
        const ptr0 = passArray8ToWasm0(signs, wasm.__wbindgen_malloc);
        const len0 = WASM_VECTOR_LEN;
        const ptr1 = passArray8ToWasm0(planes, wasm.__wbindgen_malloc);
        const len1 = WASM_VECTOR_LEN;
        var ptr2 = isLikeNone(allow) ? 0 : passArray32ToWasm0(allow, wasm.__wbindgen_malloc);
        var len2 = WASM_VECTOR_LEN;
        const ret = wasm.wasmarena_scanPruned(this.__wbg_ptr, ptr0, len0, ptr1, len1, k, ptr2, len2);
        var v4 = getArrayI32FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 4, 4);
        return v4;
    }
    /**
     * @param {Uint8Array} signs
     * @param {Uint8Array} planes
     * @param {Uint32Array} slots
     * @returns {Int32Array}
     */
    score(signs, planes, slots) {
        const ptr0 = passArray8ToWasm0(signs, wasm.__wbindgen_malloc);
        const len0 = WASM_VECTOR_LEN;
        const ptr1 = passArray8ToWasm0(planes, wasm.__wbindgen_malloc);
        const len1 = WASM_VECTOR_LEN;
        const ptr2 = passArray32ToWasm0(slots, wasm.__wbindgen_malloc);
        const len2 = WASM_VECTOR_LEN;
        const ret = wasm.wasmarena_score(this.__wbg_ptr, ptr0, len0, ptr1, len1, ptr2, len2);
        var v4 = getArrayI32FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 4, 4);
        return v4;
    }
    /**
     * How many of the signatures were set: fewer than given when memory ran out.
     * @param {Uint32Array} slots
     * @param {Uint8Array} signatures
     * @returns {number}
     */
    setMany(slots, signatures) {
        const ptr0 = passArray32ToWasm0(slots, wasm.__wbindgen_malloc);
        const len0 = WASM_VECTOR_LEN;
        const ptr1 = passArray8ToWasm0(signatures, wasm.__wbindgen_malloc);
        const len1 = WASM_VECTOR_LEN;
        const ret = wasm.wasmarena_setMany(this.__wbg_ptr, ptr0, len0, ptr1, len1);
        return ret >>> 0;
    }
    /**
     * @returns {number}
     */
    get size() {
        const ret = wasm.wasmarena_size(this.__wbg_ptr);
        return ret >>> 0;
    }
    /**
     * @param {number} block
     * @returns {number}
     */
    stamp(block) {
        const ret = wasm.wasmarena_stamp(this.__wbg_ptr, block);
        return ret;
    }
}
if (Symbol.dispose) WasmArena.prototype[Symbol.dispose] = WasmArena.prototype.free;

export class WasmBatch {
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        WasmBatchFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_wasmbatch_free(ptr, 0);
    }
    /**
     * @returns {number}
     */
    get bytes() {
        const ret = wasm.wasmbatch_bytes(this.__wbg_ptr);
        return ret;
    }
    constructor() {
        const ret = wasm.wasmbatch_new();
        this.__wbg_ptr = ret;
        WasmBatchFinalization.register(this, this.__wbg_ptr, this);
        return this;
    }
    /**
     * The address of room for so many signatures; none without memory for them.
     * @param {number} signatures
     * @returns {number | undefined}
     */
    room(signatures) {
        const ret = wasm.wasmbatch_room(this.__wbg_ptr, signatures);
        return ret === Number.MAX_SAFE_INTEGER ? undefined : ret;
    }
    /**
     * @param {Uint8Array} signs
     * @param {Uint8Array} planes
     * @param {number} count
     * @returns {Int32Array}
     */
    score(signs, planes, count) {
        const ptr0 = passArray8ToWasm0(signs, wasm.__wbindgen_malloc);
        const len0 = WASM_VECTOR_LEN;
        const ptr1 = passArray8ToWasm0(planes, wasm.__wbindgen_malloc);
        const len1 = WASM_VECTOR_LEN;
        const ret = wasm.wasmbatch_score(this.__wbg_ptr, ptr0, len0, ptr1, len1, count);
        var v3 = getArrayI32FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 4, 4);
        return v3;
    }
}
if (Symbol.dispose) WasmBatch.prototype[Symbol.dispose] = WasmBatch.prototype.free;

/**
 * A text that is encrypted or decrypted where it lies. `address` leads to the key (32 bytes), the nonce (24), what is
 * authenticated with the text, the text, and 16 bytes for the tag, one after the other.
 */
export class WasmCipher {
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        WasmCipherFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_wasmcipher_free(ptr, 0);
    }
    constructor() {
        const ret = wasm.wasmcipher_new();
        this.__wbg_ptr = ret;
        WasmCipherFinalization.register(this, this.__wbg_ptr, this);
        return this;
    }
    /**
     * Whether the tag fits; otherwise the text stays as it is.
     * @param {number} associated
     * @param {number} text
     * @returns {boolean}
     */
    open(associated, text) {
        const ret = wasm.wasmcipher_open(this.__wbg_ptr, associated, text);
        return ret !== 0;
    }
    /**
     * The address of room for so many bytes in all; it stays until more are asked for.
     * @param {number} bytes
     * @returns {number}
     */
    room(bytes) {
        const ret = wasm.wasmcipher_room(this.__wbg_ptr, bytes);
        return ret >>> 0;
    }
    /**
     * @param {number} associated
     * @param {number} text
     */
    seal(associated, text) {
        wasm.wasmcipher_seal(this.__wbg_ptr, associated, text);
    }
}
if (Symbol.dispose) WasmCipher.prototype[Symbol.dispose] = WasmCipher.prototype.free;

/**
 * A digest of bytes that are written to its memory piece by piece.
 */
export class WasmDigest {
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        WasmDigestFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_wasmdigest_free(ptr, 0);
    }
    /**
     * @returns {number}
     */
    get address() {
        const ret = wasm.wasmdigest_address(this.__wbg_ptr);
        return ret >>> 0;
    }
    /**
     * @returns {number}
     */
    get bytes() {
        const ret = wasm.wasmdigest_bytes(this.__wbg_ptr);
        return ret >>> 0;
    }
    constructor() {
        const ret = wasm.wasmdigest_new();
        this.__wbg_ptr = ret;
        WasmDigestFinalization.register(this, this.__wbg_ptr, this);
        return this;
    }
    /**
     * Adds as many bytes as were written.
     * @param {number} bytes
     */
    update(bytes) {
        wasm.wasmdigest_update(this.__wbg_ptr, bytes);
    }
    /**
     * @returns {bigint}
     */
    get value() {
        const ret = wasm.wasmdigest_value(this.__wbg_ptr);
        return BigInt.asUintN(64, ret);
    }
}
if (Symbol.dispose) WasmDigest.prototype[Symbol.dispose] = WasmDigest.prototype.free;

export class WasmLexicon {
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        WasmLexiconFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_wasmlexicon_free(ptr, 0);
    }
    /**
     * The names of the word's features are packed as for [`superpose`]; answers its number.
     * @param {Uint8Array} word
     * @param {Uint8Array} names
     * @param {Uint32Array} ends
     * @param {Uint32Array} weights
     * @returns {number}
     */
    add(word, names, ends, weights) {
        const ptr0 = passArray8ToWasm0(word, wasm.__wbindgen_malloc);
        const len0 = WASM_VECTOR_LEN;
        const ptr1 = passArray8ToWasm0(names, wasm.__wbindgen_malloc);
        const len1 = WASM_VECTOR_LEN;
        const ptr2 = passArray32ToWasm0(ends, wasm.__wbindgen_malloc);
        const len2 = WASM_VECTOR_LEN;
        const ptr3 = passArray32ToWasm0(weights, wasm.__wbindgen_malloc);
        const len3 = WASM_VECTOR_LEN;
        const ret = wasm.wasmlexicon_add(this.__wbg_ptr, ptr0, len0, ptr1, len1, ptr2, len2, ptr3, len3);
        return ret >>> 0;
    }
    constructor() {
        const ret = wasm.wasmlexicon_new();
        this.__wbg_ptr = ret;
        WasmLexiconFinalization.register(this, this.__wbg_ptr, this);
        return this;
    }
    /**
     * @param {Uint32Array} words
     * @returns {Uint8Array}
     */
    signature(words) {
        const ptr0 = passArray32ToWasm0(words, wasm.__wbindgen_malloc);
        const len0 = WASM_VECTOR_LEN;
        const ret = wasm.wasmlexicon_signature(this.__wbg_ptr, ptr0, len0);
        var v2 = getArrayU8FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 1, 1);
        return v2;
    }
}
if (Symbol.dispose) WasmLexicon.prototype[Symbol.dispose] = WasmLexicon.prototype.free;

/**
 * Hypervectors that lie where they were made until the next ones are.
 */
export class WasmMade {
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        WasmMadeFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_wasmmade_free(ptr, 0);
    }
    /**
     * @returns {number}
     */
    get address() {
        const ret = wasm.wasmmade_address(this.__wbg_ptr);
        return ret >>> 0;
    }
    constructor() {
        const ret = wasm.wasmmade_new();
        this.__wbg_ptr = ret;
        WasmMadeFinalization.register(this, this.__wbg_ptr, this);
        return this;
    }
    /**
     * Of sums of latents, one after the other; of one without a direction zeros, and 0 in what is answered.
     * @param {Int8Array} rows
     * @param {Float64Array} factors
     * @param {Uint16Array} terms
     * @param {Uint32Array} ends
     * @returns {Uint8Array}
     */
    projectSums(rows, factors, terms, ends) {
        const ptr0 = passArray8ToWasm0(rows, wasm.__wbindgen_malloc);
        const len0 = WASM_VECTOR_LEN;
        const ptr1 = passArrayF64ToWasm0(factors, wasm.__wbindgen_malloc);
        const len1 = WASM_VECTOR_LEN;
        const ptr2 = passArray16ToWasm0(terms, wasm.__wbindgen_malloc);
        const len2 = WASM_VECTOR_LEN;
        const ptr3 = passArray32ToWasm0(ends, wasm.__wbindgen_malloc);
        const len3 = WASM_VECTOR_LEN;
        const ret = wasm.wasmmade_projectSums(this.__wbg_ptr, ptr0, len0, ptr1, len1, ptr2, len2, ptr3, len3);
        var v5 = getArrayU8FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 1, 1);
        return v5;
    }
    /**
     * Of texts, one after the other.
     * @param {WasmLexicon} lexicon
     * @param {Uint32Array} words
     * @param {Uint32Array} ends
     */
    texts(lexicon, words, ends) {
        _assertClass(lexicon, WasmLexicon);
        const ptr0 = passArray32ToWasm0(words, wasm.__wbindgen_malloc);
        const len0 = WASM_VECTOR_LEN;
        const ptr1 = passArray32ToWasm0(ends, wasm.__wbindgen_malloc);
        const len1 = WASM_VECTOR_LEN;
        wasm.wasmmade_texts(this.__wbg_ptr, lexicon.__wbg_ptr, ptr0, len0, ptr1, len1);
    }
}
if (Symbol.dispose) WasmMade.prototype[Symbol.dispose] = WasmMade.prototype.free;

/**
 * @param {Uint8Array} a
 * @param {Uint8Array} b
 * @returns {Uint8Array}
 */
export function bind(a, b) {
    const ptr0 = passArray8ToWasm0(a, wasm.__wbindgen_malloc);
    const len0 = WASM_VECTOR_LEN;
    const ptr1 = passArray8ToWasm0(b, wasm.__wbindgen_malloc);
    const len1 = WASM_VECTOR_LEN;
    const ret = wasm.bind(ptr0, len0, ptr1, len1);
    var v3 = getArrayU8FromWasm0(ret[0], ret[1]).slice();
    wasm.__wbindgen_free(ret[0], ret[1] * 1, 1);
    return v3;
}

/**
 * `vectors` holds `weights.len()` hypervectors one after the other.
 * @param {Uint8Array} vectors
 * @param {Int32Array} weights
 * @returns {Uint8Array}
 */
export function bundle(vectors, weights) {
    const ptr0 = passArray8ToWasm0(vectors, wasm.__wbindgen_malloc);
    const len0 = WASM_VECTOR_LEN;
    const ptr1 = passArray32ToWasm0(weights, wasm.__wbindgen_malloc);
    const len1 = WASM_VECTOR_LEN;
    const ret = wasm.bundle(ptr0, len0, ptr1, len1);
    var v3 = getArrayU8FromWasm0(ret[0], ret[1]).slice();
    wasm.__wbindgen_free(ret[0], ret[1] * 1, 1);
    return v3;
}

/**
 * @param {Float32Array} vectors
 * @param {Float32Array} others
 * @param {number} length
 * @returns {Float64Array}
 */
export function dots(vectors, others, length) {
    const ptr0 = passArrayF32ToWasm0(vectors, wasm.__wbindgen_malloc);
    const len0 = WASM_VECTOR_LEN;
    const ptr1 = passArrayF32ToWasm0(others, wasm.__wbindgen_malloc);
    const len1 = WASM_VECTOR_LEN;
    const ret = wasm.dots(ptr0, len0, ptr1, len1, length);
    var v3 = getArrayF64FromWasm0(ret[0], ret[1]).slice();
    wasm.__wbindgen_free(ret[0], ret[1] * 8, 8);
    return v3;
}

/**
 * @param {Uint8Array} name
 * @returns {Uint8Array}
 */
export function fromName(name) {
    const ptr0 = passArray8ToWasm0(name, wasm.__wbindgen_malloc);
    const len0 = WASM_VECTOR_LEN;
    const ret = wasm.fromName(ptr0, len0);
    var v2 = getArrayU8FromWasm0(ret[0], ret[1]).slice();
    wasm.__wbindgen_free(ret[0], ret[1] * 1, 1);
    return v2;
}

/**
 * @param {Uint8Array} seed
 * @returns {Uint8Array}
 */
export function fromSeed(seed) {
    const ptr0 = passArray8ToWasm0(seed, wasm.__wbindgen_malloc);
    const len0 = WASM_VECTOR_LEN;
    const ret = wasm.fromSeed(ptr0, len0);
    var v2 = getArrayU8FromWasm0(ret[0], ret[1]).slice();
    wasm.__wbindgen_free(ret[0], ret[1] * 1, 1);
    return v2;
}

/**
 * @param {Uint8Array} a
 * @param {Uint8Array} b
 * @returns {number}
 */
export function hamming(a, b) {
    const ptr0 = passArray8ToWasm0(a, wasm.__wbindgen_malloc);
    const len0 = WASM_VECTOR_LEN;
    const ptr1 = passArray8ToWasm0(b, wasm.__wbindgen_malloc);
    const len1 = WASM_VECTOR_LEN;
    const ret = wasm.hamming(ptr0, len0, ptr1, len1);
    return ret >>> 0;
}

/**
 * How blocks are laid out.
 * @returns {string}
 */
export function layout() {
    let deferred1_0;
    let deferred1_1;
    try {
        const ret = wasm.layout();
        deferred1_0 = ret[0];
        deferred1_1 = ret[1];
        return getStringFromWasm0(ret[0], ret[1]);
    } finally {
        wasm.__wbindgen_free(deferred1_0, deferred1_1, 1);
    }
}

/**
 * @param {Int8Array} rows
 * @param {Float64Array} factors
 * @param {Uint16Array} terms
 * @param {Uint32Array} ends
 * @param {Int8Array} others
 * @param {number} length
 * @returns {Float64Array}
 */
export function maxSim(rows, factors, terms, ends, others, length) {
    const ptr0 = passArray8ToWasm0(rows, wasm.__wbindgen_malloc);
    const len0 = WASM_VECTOR_LEN;
    const ptr1 = passArrayF64ToWasm0(factors, wasm.__wbindgen_malloc);
    const len1 = WASM_VECTOR_LEN;
    const ptr2 = passArray16ToWasm0(terms, wasm.__wbindgen_malloc);
    const len2 = WASM_VECTOR_LEN;
    const ptr3 = passArray32ToWasm0(ends, wasm.__wbindgen_malloc);
    const len3 = WASM_VECTOR_LEN;
    const ptr4 = passArray8ToWasm0(others, wasm.__wbindgen_malloc);
    const len4 = WASM_VECTOR_LEN;
    const ret = wasm.maxSim(ptr0, len0, ptr1, len1, ptr2, len2, ptr3, len3, ptr4, len4, length);
    var v6 = getArrayF64FromWasm0(ret[0], ret[1]).slice();
    wasm.__wbindgen_free(ret[0], ret[1] * 8, 8);
    return v6;
}

/**
 * @param {Uint8Array} a
 * @param {number} shift
 * @returns {Uint8Array}
 */
export function permute(a, shift) {
    const ptr0 = passArray8ToWasm0(a, wasm.__wbindgen_malloc);
    const len0 = WASM_VECTOR_LEN;
    const ret = wasm.permute(ptr0, len0, shift);
    var v2 = getArrayU8FromWasm0(ret[0], ret[1]).slice();
    wasm.__wbindgen_free(ret[0], ret[1] * 1, 1);
    return v2;
}

/**
 * @param {Float32Array} latent
 * @returns {Uint8Array}
 */
export function project(latent) {
    const ptr0 = passArrayF32ToWasm0(latent, wasm.__wbindgen_malloc);
    const len0 = WASM_VECTOR_LEN;
    const ret = wasm.project(ptr0, len0);
    var v2 = getArrayU8FromWasm0(ret[0], ret[1]).slice();
    wasm.__wbindgen_free(ret[0], ret[1] * 1, 1);
    return v2;
}

/**
 * As [`quantise`].
 * @param {Float32Array} latent
 * @param {Uint8Array} signs
 * @param {Uint8Array} planes
 * @returns {number}
 */
export function projectQuery(latent, signs, planes) {
    const ptr0 = passArrayF32ToWasm0(latent, wasm.__wbindgen_malloc);
    const len0 = WASM_VECTOR_LEN;
    var ptr1 = passArray8ToWasm0(signs, wasm.__wbindgen_malloc);
    var len1 = WASM_VECTOR_LEN;
    var ptr2 = passArray8ToWasm0(planes, wasm.__wbindgen_malloc);
    var len2 = WASM_VECTOR_LEN;
    const ret = wasm.projectQuery(ptr0, len0, ptr1, len1, signs, ptr2, len2, planes);
    return ret >>> 0;
}

/**
 * Writes signs and planes; returns the sum of the squared magnitudes.
 * @param {Int32Array} sum
 * @param {Uint8Array} signs
 * @param {Uint8Array} planes
 * @returns {number}
 */
export function quantise(sum, signs, planes) {
    const ptr0 = passArray32ToWasm0(sum, wasm.__wbindgen_malloc);
    const len0 = WASM_VECTOR_LEN;
    var ptr1 = passArray8ToWasm0(signs, wasm.__wbindgen_malloc);
    var len1 = WASM_VECTOR_LEN;
    var ptr2 = passArray8ToWasm0(planes, wasm.__wbindgen_malloc);
    var len2 = WASM_VECTOR_LEN;
    const ret = wasm.quantise(ptr0, len0, ptr1, len1, signs, ptr2, len2, planes);
    return ret >>> 0;
}

/**
 * Names are packed one after the other; `ends[i]` is where name `i` ends.
 * @param {Uint8Array} names
 * @param {Uint32Array} ends
 * @param {Int32Array} weights
 * @returns {Int32Array}
 */
export function superpose(names, ends, weights) {
    const ptr0 = passArray8ToWasm0(names, wasm.__wbindgen_malloc);
    const len0 = WASM_VECTOR_LEN;
    const ptr1 = passArray32ToWasm0(ends, wasm.__wbindgen_malloc);
    const len1 = WASM_VECTOR_LEN;
    const ptr2 = passArray32ToWasm0(weights, wasm.__wbindgen_malloc);
    const len2 = WASM_VECTOR_LEN;
    const ret = wasm.superpose(ptr0, len0, ptr1, len1, ptr2, len2);
    var v4 = getArrayI32FromWasm0(ret[0], ret[1]).slice();
    wasm.__wbindgen_free(ret[0], ret[1] * 4, 4);
    return v4;
}

/**
 * @param {Uint8Array} names
 * @param {Uint32Array} ends
 * @param {Int32Array} weights
 * @returns {Uint8Array}
 */
export function textSignature(names, ends, weights) {
    const ptr0 = passArray8ToWasm0(names, wasm.__wbindgen_malloc);
    const len0 = WASM_VECTOR_LEN;
    const ptr1 = passArray32ToWasm0(ends, wasm.__wbindgen_malloc);
    const len1 = WASM_VECTOR_LEN;
    const ptr2 = passArray32ToWasm0(weights, wasm.__wbindgen_malloc);
    const len2 = WASM_VECTOR_LEN;
    const ret = wasm.textSignature(ptr0, len0, ptr1, len1, ptr2, len2);
    var v4 = getArrayU8FromWasm0(ret[0], ret[1]).slice();
    wasm.__wbindgen_free(ret[0], ret[1] * 1, 1);
    return v4;
}

/**
 * @param {Int32Array} sum
 * @returns {Uint8Array}
 */
export function threshold(sum) {
    const ptr0 = passArray32ToWasm0(sum, wasm.__wbindgen_malloc);
    const len0 = WASM_VECTOR_LEN;
    const ret = wasm.threshold(ptr0, len0);
    var v2 = getArrayU8FromWasm0(ret[0], ret[1]).slice();
    wasm.__wbindgen_free(ret[0], ret[1] * 1, 1);
    return v2;
}

/**
 * @param {Int8Array} rows
 * @param {Float64Array} factors
 * @param {Uint16Array} terms
 * @param {Uint32Array} ends
 * @returns {Float32Array}
 */
export function unitSums(rows, factors, terms, ends) {
    const ptr0 = passArray8ToWasm0(rows, wasm.__wbindgen_malloc);
    const len0 = WASM_VECTOR_LEN;
    const ptr1 = passArrayF64ToWasm0(factors, wasm.__wbindgen_malloc);
    const len1 = WASM_VECTOR_LEN;
    const ptr2 = passArray16ToWasm0(terms, wasm.__wbindgen_malloc);
    const len2 = WASM_VECTOR_LEN;
    const ptr3 = passArray32ToWasm0(ends, wasm.__wbindgen_malloc);
    const len3 = WASM_VECTOR_LEN;
    const ret = wasm.unitSums(ptr0, len0, ptr1, len1, ptr2, len2, ptr3, len3);
    var v5 = getArrayF32FromWasm0(ret[0], ret[1]).slice();
    wasm.__wbindgen_free(ret[0], ret[1] * 4, 4);
    return v5;
}
function __wbg_get_imports() {
    const import0 = {
        __proto__: null,
        __wbg___wbindgen_copy_to_typed_array_4db0cbe2cc60dbee: function(arg0, arg1, arg2) {
            new Uint8Array(arg2.buffer, arg2.byteOffset, arg2.byteLength).set(getArrayU8FromWasm0(arg0, arg1));
        },
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
        "./agidb_kernel_bg.js": import0,
    };
}

const WasmArenaFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_wasmarena_free(ptr, 1));
const WasmBatchFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_wasmbatch_free(ptr, 1));
const WasmCipherFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_wasmcipher_free(ptr, 1));
const WasmDigestFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_wasmdigest_free(ptr, 1));
const WasmLexiconFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_wasmlexicon_free(ptr, 1));
const WasmMadeFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_wasmmade_free(ptr, 1));

function _assertClass(instance, klass) {
    if (!(instance instanceof klass)) {
        throw new Error(`expected instance of ${klass.name}`);
    }
}

function getArrayF32FromWasm0(ptr, len) {
    ptr = ptr >>> 0;
    return getFloat32ArrayMemory0().subarray(ptr / 4, ptr / 4 + len);
}

function getArrayF64FromWasm0(ptr, len) {
    ptr = ptr >>> 0;
    return getFloat64ArrayMemory0().subarray(ptr / 8, ptr / 8 + len);
}

function getArrayI32FromWasm0(ptr, len) {
    ptr = ptr >>> 0;
    return getInt32ArrayMemory0().subarray(ptr / 4, ptr / 4 + len);
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

let cachedFloat64ArrayMemory0 = null;
function getFloat64ArrayMemory0() {
    if (cachedFloat64ArrayMemory0 === null || cachedFloat64ArrayMemory0.byteLength === 0) {
        cachedFloat64ArrayMemory0 = new Float64Array(wasm.memory.buffer);
    }
    return cachedFloat64ArrayMemory0;
}

let cachedInt32ArrayMemory0 = null;
function getInt32ArrayMemory0() {
    if (cachedInt32ArrayMemory0 === null || cachedInt32ArrayMemory0.byteLength === 0) {
        cachedInt32ArrayMemory0 = new Int32Array(wasm.memory.buffer);
    }
    return cachedInt32ArrayMemory0;
}

function getStringFromWasm0(ptr, len) {
    return decodeText(ptr >>> 0, len);
}

let cachedUint16ArrayMemory0 = null;
function getUint16ArrayMemory0() {
    if (cachedUint16ArrayMemory0 === null || cachedUint16ArrayMemory0.byteLength === 0) {
        cachedUint16ArrayMemory0 = new Uint16Array(wasm.memory.buffer);
    }
    return cachedUint16ArrayMemory0;
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

function isLikeNone(x) {
    return x === undefined || x === null;
}

function passArray16ToWasm0(arg, malloc) {
    const ptr = malloc(arg.length * 2, 2) >>> 0;
    getUint16ArrayMemory0().set(arg, ptr / 2);
    WASM_VECTOR_LEN = arg.length;
    return ptr;
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

function passArrayF64ToWasm0(arg, malloc) {
    const ptr = malloc(arg.length * 8, 8) >>> 0;
    getFloat64ArrayMemory0().set(arg, ptr / 8);
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
    cachedFloat64ArrayMemory0 = null;
    cachedInt32ArrayMemory0 = null;
    cachedUint16ArrayMemory0 = null;
    cachedUint32ArrayMemory0 = null;
    cachedUint8ArrayMemory0 = null;
    wasm.__wbindgen_start();
    return wasm;
}

export default async function instantiate(module) {
    return wasm ?? __wbg_finalize_init(await WebAssembly.instantiate(module, __wbg_get_imports()));
}
