#!/usr/bin/env bash
# Compiles crate/ to WebAssembly into src/kernel/built/, which is kept in the repository so that
# whoever works on the TypeScript alone needs no Rust.
set -euo pipefail
cd "$(dirname "$0")/.."
source tools/rust-env.sh
use_rust || { echo 'No Rust for WebAssembly: run npm run setup:toolchain' >&2; exit 1; }

# Where cargo unpacks dependencies is as little of what is built as where this repository lies.
(cd crate && cargo fetch --quiet --locked)
for sources in "${CARGO_HOME:-$HOME/.cargo}"/registry/src/*; do
  CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS+=" --remap-path-prefix=$sources=dependencies"
done

BUILT=src/kernel/built
RELEASE=crate/target/wasm32-unknown-unknown/release
mkdir -p "$BUILT"

# Compiles a module with its JavaScript glue into crate/target/pkg: compile NAME LIBRARY GLUE OPTION...
# LIBRARY is what cargo makes, GLUE names the JavaScript glue that drives the module, and the options are those of cargo.
compile() {
  local name=$1 library=$2 glue=$3
  shift 3
  # As a dynamic library alone: where a package is also to be a Rust library, cargo links it without optimisation across
  # crates.
  (cd crate && cargo rustc --lib --release --target wasm32-unknown-unknown --crate-type cdylib "$@")
  wasm-bindgen "$RELEASE/$library.wasm" --target web --out-dir "crate/target/pkg/$name" --out-name "$glue"
}

# Compiles a module and installs it: build NAME LIBRARY GLUE OPTION...
build() {
  local name=$1 glue=$3
  compile "$@"
  # For size, by Binaryen, whose version package.json pins: what is built is to be the same everywhere.
  npx --no-install wasm-opt -Oz --enable-simd --enable-bulk-memory --enable-sign-ext \
    --enable-nontrapping-float-to-int --enable-mutable-globals --enable-reference-types --enable-multivalue \
    "crate/target/pkg/$name/${glue}_bg.wasm" -o "$BUILT/agidb_${name}_bg.wasm"
  node --import tsx tools/strip-names.ts "$BUILT/agidb_${name}_bg.wasm"
}

# Copies the glue of a module: glue NAME GLUE
# Whoever loads the module compiles it, so the glue gets a plain loader in the place of its own, which a page would fetch.
glue() {
  local from=crate/target/pkg/$1/$2
  sed '/^async function __wbg_load(/,$d' "$from.js" >"$BUILT/$2.js"
  cat >>"$BUILT/$2.js" <<'END'
export default async function instantiate(module) {
    return wasm ?? __wbg_finalize_init(await WebAssembly.instantiate(module, __wbg_get_imports()));
}
END
  # The declarations are written in the width of all other code.
  {
    sed '/^export type InitInput/d; /^export type SyncInitInput/,$d' "$from.d.ts"
    cat <<'END'
/**
 * Instantiates a compiled module once; later calls answer the exports of the first one.
 */
export default function instantiate(module: WebAssembly.Module): Promise<InitOutput>;
END
  } | npx biome format --stdin-file-path="$2.d.ts" >"$BUILT/$2.d.ts"
}

# The whole kernel, the kernel that a page loads first, and the graphs. The first two have the same glue: all but that of
# the graphs.
build kernel agidb_kernel agidb_kernel
build core agidb_kernel agidb_kernel --no-default-features
build graphs agidb_graph agidb_graphs --package agidb_graph
compile without-graphs agidb_kernel agidb_kernel --no-default-features --features scans
glue without-graphs agidb_kernel
glue graphs agidb_graphs
# The graphs of the whole kernel are in an instance that is there.
cat >>"$BUILT/agidb_graphs.js" <<'END'

export function adopt(exports) {
    wasm = exports;
}
END
cat >>"$BUILT/agidb_graphs.d.ts" <<'END'

/**
 * Uses the graphs of an instance of the whole kernel, instead of an instance of their own.
 */
export function adopt(exports: object): void;
END
# What bench/kernel-scan.ts measures the kernel against.
(cd crate && cargo build --release --config profile.release.opt-level=3 --example naive_scan \
  --target wasm32-unknown-unknown)
install -m 644 crate/target/wasm32-unknown-unknown/release/examples/naive_scan.wasm bench/naive_scan.wasm
node --import tsx tools/check-kernel-stamp.ts --write
