# Sourced by the scripts that need Rust: puts a toolchain that can compile for WebAssembly first on
# PATH. Returns 1 where there is none; tools/setup-toolchain.sh makes one.

# The same number as in crate/Cargo.toml: the command must match the library.
WASM_BINDGEN_VERSION=0.2.126

export PATH="$PATH:${CARGO_HOME:-$HOME/.cargo}/bin"

# Whether this rustc has a compiled standard library for WebAssembly.
has_wasm_std() {
  local sysroot
  sysroot=$("$1" --print sysroot 2>/dev/null) || return 1
  compgen -G "$sysroot/lib/rustlib/wasm32-unknown-unknown/lib/libstd-*.rlib" >/dev/null
}

use_rust() {
  if has_wasm_std rustc; then
    :
  elif has_wasm_std /usr/bin/rustc; then
    export PATH="/usr/bin:$PATH"
  else
    return 1
  fi
  # What is built must not tell where it was built.
  local remap="--remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=cargo --remap-path-prefix=$PWD="
  export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS="$remap"
  # Rust as Debian packages it has no linker for WebAssembly of its own.
  local sysroot lld
  sysroot=$(rustc --print sysroot)
  if ! compgen -G "$sysroot/lib/rustlib/*/bin/rust-lld" >/dev/null; then
    lld=$(compgen -c wasm-ld | grep -E '^wasm-ld(-[0-9]+)?$' | sort -V | tail -1)
    export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER="${lld:-wasm-ld}"
  fi
}
