import type { ExportSource } from '../../api/portable.js'
import { pieces } from '../../transfer/bytes.js'

/** What was exported, in a form that crosses to another tab: a browser keeps large ones on its disk. */
export async function toBlob(exported: unknown): Promise<unknown> {
  return exported instanceof ReadableStream ? new Response(exported as ReadableStream<Uint8Array>).blob() : exported
}

/** What was exported here or, as a blob, in another tab. */
export function toStream(answer: unknown): unknown {
  return answer instanceof Blob ? answer.stream() : answer
}

/**
 * All that is to be imported. It is read once, and may have to be sent twice: to one owner and, if that goes, to the
 * next.
 */
export async function toSend(source: ExportSource, signal?: AbortSignal): Promise<Blob> {
  if (source instanceof Blob) return source
  const read: BlobPart[] = []
  for await (const piece of pieces(source, signal)) read.push(piece.slice())
  return new Blob(read)
}
