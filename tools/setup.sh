#!/usr/bin/env bash
# Installs what the tests need beside Node: Chromium and a Rust toolchain for WebAssembly. Does nothing where they are.
set -euo pipefail
cd "$(dirname "$0")/.."
source tools/as-root.sh

chromium() {
  local path=${CHROMIUM:-/usr/bin/chromium}
  if [ -x "$path" ]; then
    echo "Chromium: $path"
  elif command -v apt-get >/dev/null; then
    echo 'Chromium: installing it from apt'
    as_root apt-get update -qq
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium >/dev/null
  else
    echo 'Chromium: installing the one of Playwright'
    npx playwright install chromium
  fi
}

chromium
echo 'Rust:'
bash tools/setup-toolchain.sh
