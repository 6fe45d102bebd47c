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

# As a dynamic library alone: where a package is also to be a Rust library, cargo links it without optimisation across
# crates.
(cd crate && cargo rustc --lib --release --target wasm32-unknown-unknown --crate-type cdylib)
mkdir -p src/kernel/built
wasm-bindgen crate/target/wasm32-unknown-unknown/release/agidb_kernel.wasm --target web --out-dir crate/target/pkg \
  --out-name agidb_kernel
cp crate/target/pkg/agidb_kernel.js crate/target/pkg/agidb_kernel.d.ts crate/target/pkg/agidb_kernel_bg.wasm \
  src/kernel/built/
# For size, by Binaryen, whose version package.json pins: what is built is to be the same everywhere.
npx --no-install wasm-opt -Oz --enable-simd --enable-bulk-memory --enable-sign-ext --enable-nontrapping-float-to-int \
  --enable-mutable-globals --enable-reference-types --enable-multivalue \
  src/kernel/built/agidb_kernel_bg.wasm -o src/kernel/built/agidb_kernel_bg.wasm
node --import tsx tools/strip-names.ts src/kernel/built/agidb_kernel_bg.wasm
# The declarations are written in the width of all other code.
npx biome format --stdin-file-path=agidb_kernel.d.ts <crate/target/pkg/agidb_kernel.d.ts |
  sed 's/ - Passing `[A-Za-z]*` directly is deprecated\.$//' >src/kernel/built/agidb_kernel.d.ts
# What bench/kernel-scan.ts measures the kernel against.
(cd crate && cargo build --release --config profile.release.opt-level=3 --example naive_scan \
  --target wasm32-unknown-unknown)
install -m 644 crate/target/wasm32-unknown-unknown/release/examples/naive_scan.wasm bench/naive_scan.wasm
node --import tsx tools/check-kernel-stamp.ts --write
