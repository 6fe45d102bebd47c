export type { SentenceEncoder } from '../../api/encoder.js'
export { ollamaEncoder } from './ollama.js'
export { openaiEncoder } from './openai.js'
export type { HttpEncoderOptions } from './options.js'
