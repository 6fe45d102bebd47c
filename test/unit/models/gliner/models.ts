import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** A model of tools/gliner/make-fixtures.py: its files, and the threshold of its golden spans. */
export interface GlinerFixture {
  readonly model: string
  readonly tokenizer: string
  readonly config: string
  readonly threshold: number
}

const path = (file: string) => fileURLToPath(new URL(`fixtures/${file}`, import.meta.url))

function fixture(kind: 'span' | 'token', file: string): GlinerFixture {
  return {
    model: path(`${kind}/${file}`),
    tokenizer: path(`${kind}/tokenizer.json`),
    config: path(`${kind}/gliner_config.json`),
    threshold: kind === 'span' ? 0.4 : 0.5,
  }
}

/** A model of each layout, and two with weights of 8 bits. */
export const MODELS: Readonly<Record<string, GlinerFixture>> = {
  span: fixture('span', 'model.onnx'),
  'span-quantised': fixture('span', 'model-quantised.onnx'),
  token: fixture('token', 'model.onnx'),
  'token-quantised': fixture('token', 'model-quantised.onnx'),
  'token-leading': fixture('token', 'model-leading.onnx'),
}

/** The texts that the Python package read with each of them. */
export const TEXTS: readonly string[] = [
  ...new Set(
    (JSON.parse(readFileSync(path('span/golden.json'), 'utf8')) as { readonly text: string }[]).map(({ text }) => text),
  ),
]

export const CONTEXT = { at: '2026-05-01T00:00:00.000Z' }
