/** The address of OpenAI. */
export const OPENAI_URL = 'https://api.openai.com/v1'

/** The address of a server that speaks as OpenAI does: one without a path has its interface under `/v1`. */
export function openaiAddress(base: string): string {
  return new URL(base).pathname === '/' ? `${base}/v1` : base
}
