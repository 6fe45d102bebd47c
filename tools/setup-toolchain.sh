#!/usr/bin/env bash
# Installs what the kernel is built and checked with: Rust for WebAssembly, clippy and
# wasm-bindgen. Does nothing where all of it is there. Where rustup works it adds the target to that;
# elsewhere, on Debian, it takes Rust from apt and compiles the standard library for WebAssembly,
# which Debian does not carry, once.
set -euo pipefail
cd "$(dirname "$0")/.."
source tools/as-root.sh
source tools/rust-env.sh

step() { printf '%4ds  %s\n' "$SECONDS" "$*"; }

apt_install() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

# A C linker: cargo links build scripts and the commands below with it.
ensure_cc() {
  command -v cc >/dev/null && return
  step 'a C linker, from apt'
  as_root apt-get update -qq && apt_install gcc libc6-dev
}

rust_from_rustup() {
  command -v rustup >/dev/null || return 1
  step 'the WebAssembly target, from rustup'
  RUSTUP_MAX_RETRIES=1 timeout 120 rustup target add wasm32-unknown-unknown >/dev/null 2>&1 && has_wasm_std rustc
}

rust_from_apt() {
  command -v apt-get >/dev/null || return 1
  step 'Rust, from apt'
  # Chained: where a function stands before ||, set -e is off in it. Cargo fetches with certificates that it only recommends.
  as_root apt-get update -qq &&
    apt_install rustc-web cargo-web rust-web-src rust-web-clippy gcc libc6-dev ca-certificates &&
    { apt_install lld-19 2>/dev/null || apt_install lld; } &&
    { has_wasm_std /usr/bin/rustc || wasm_std; }
}

# The standard library for WebAssembly, compiled from Debian's sources into Rust's own folder.
wasm_std() {
  step 'the standard library for WebAssembly, from source'
  local work target
  work=$(mktemp -d)
  mkdir "$work/src"
  printf '[package]\nname = "empty"\nversion = "0.0.0"\nedition = "2021"\n' >"$work/Cargo.toml"
  echo '#![no_std]' >"$work/src/lib.rs"
  # Building std is a nightly feature; this compiler is the one that these sources belong to.
  (cd "$work" && PATH="/usr/bin:$PATH" RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR=target \
    /usr/bin/cargo build --quiet --release --target wasm32-unknown-unknown -Zbuild-std=std,panic_abort)
  target=$(/usr/bin/rustc --print sysroot)/lib/rustlib/wasm32-unknown-unknown/lib
  as_root mkdir -p "$target"
  for library in "$work"/target/wasm32-unknown-unknown/release/deps/lib*.rlib; do
    case $library in */libempty-*) ;; *) as_root cp "$library" "$target/" ;; esac
  done
  rm -rf "$work"
}

# A command that cargo installs. Compiled without optimisation, which takes a third of the time: it runs for a second.
command_from_cargo() {
  local crate=$1 version=$2 command=$3
  "$command" --version 2>/dev/null | grep -qw "$version" && return
  step "$crate $version, from source"
  CARGO_PROFILE_DEV_DEBUG=0 CARGO_INCREMENTAL=0 CARGO_TARGET_DIR="${TMPDIR:-/tmp}/agidb-toolchain" \
    cargo install --quiet --debug --locked --force "$crate" --version "$version" --bin "$command"
}

use_rust || { ensure_cc; rust_from_rustup || rust_from_apt; use_rust; } || {
  echo 'No Rust for WebAssembly. Install rustup (https://rustup.rs), then: rustup target add wasm32-unknown-unknown' >&2
  exit 1
}
ensure_cc
cargo clippy --version >/dev/null 2>&1 || rustup component add clippy >/dev/null 2>&1 || apt_install rust-web-clippy
command_from_cargo wasm-bindgen-cli "$WASM_BINDGEN_VERSION" wasm-bindgen
step "ready: $(rustc --version), $(wasm-bindgen --version)"
