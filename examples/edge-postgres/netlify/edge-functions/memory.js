// Netlify: an edge function, which runs on Deno. DATABASE_URL is set in the site.
import { neon } from '@neondatabase/serverless'
import { memoryHandler } from '../../handler.js'

export const config = { path: '/api/memory/*' }
export default memoryHandler(neon(Netlify.env.get('DATABASE_URL')))
