// Runs in Deno: `deno run deno-transformers.ts SENTENCES CLIP TEXTS PICTURE` prints what encoders over
// transformers.js make of them. It ends though no encoder is closed.
import { argv } from 'node:process'
import { towers } from './towers.ts'

const [sentences, clip, texts, picture] = argv.slice(2)
const { data, width, height } = JSON.parse(picture) as { data: number[]; width: number; height: number }
const found = await towers(sentences, clip, JSON.parse(texts) as string[], {
  data: Uint8ClampedArray.from(data),
  width,
  height,
})
console.log(JSON.stringify(found))
