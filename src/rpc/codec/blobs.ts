import type { ExportSource } from '../../api/portable.js'
import { pieces } from '../../transfer/bytes.js'

// Between tabs bytes cross as a whole, in a Blob, which a browser keeps on its disk when it is large: a call whose
// owner goes away is sent again to the next one, and a stream could not begin again.

/** An answer in a form that crosses to another tab. */
export async function toBlob(answer: unknown): Promise<unknown> {
  return answer instanceof ReadableStream ? new Response(answer as ReadableStream<Uint8Array>).blob() : answer
}

/** An answer of bytes, given here as a stream or by another tab as a Blob. */
export function toStream(answer: unknown): unknown {
  return answer instanceof Blob ? answer.stream() : answer
}

/** All bytes of a source, read once: they may have to be sent twice, to one owner and to the next. */
export async function readSource(source: ExportSource, signal?: AbortSignal): Promise<Blob> {
  if (source instanceof Blob) return source
  const read: Uint8Array<ArrayBuffer>[] = []
  for await (const piece of pieces(source, signal)) read.push(piece.slice())
  return new Blob(read)
}
