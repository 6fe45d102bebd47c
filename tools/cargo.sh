#!/usr/bin/env bash
# Runs cargo on crate/ with the toolchain that builds the kernel: tools/cargo.sh test
set -euo pipefail
cd "$(dirname "$0")/.."
source tools/rust-env.sh
use_rust || { echo 'No Rust for WebAssembly: run npm run setup:toolchain' >&2; exit 1; }
cd crate
exec cargo "$@"
