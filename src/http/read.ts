/**
 * Reads the body of a response up to a length. What comes after it is not fetched: `whole` is false.
 */
export async function readBytes(
  response: Response,
  maxBytes: number,
): Promise<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly whole: boolean }> {
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = response.body?.getReader()
  while (reader !== undefined && length <= maxBytes) {
    const { done, value } = await reader.read()
    if (done) break
    chunks.push(value)
    length += value.length
  }
  const whole = length <= maxBytes
  if (!whole) void reader?.cancel().catch(() => undefined)
  const bytes = new Uint8Array(Math.min(length, maxBytes))
  let at = 0
  for (const chunk of chunks) {
    const part = chunk.subarray(0, bytes.length - at)
    bytes.set(part, at)
    at += part.length
  }
  return { bytes, whole }
}
