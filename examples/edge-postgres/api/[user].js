// Vercel: an edge function. DATABASE_URL is set in the project.
import kernel from 'agidb/kernel.wasm?module' // Vercel compiles modules that are imported with ?module
import { neon } from '@neondatabase/serverless'
import { memoryHandler } from '../handler.js'

export const config = { runtime: 'edge' }
export default memoryHandler(neon(process.env.DATABASE_URL), kernel)
