// Runs in Deno: `deno run deno-encode.ts MODEL TOKENIZER TEXTS` prints what the encoder of `agidb/onnx` makes of a list
// of texts in JSON.
import { argv } from 'node:process'
import { encode } from './encode.ts'

const [model, tokenizer, texts] = argv.slice(2)
console.log(JSON.stringify(await encode(JSON.parse(texts) as string[], { model, tokenizer })))
