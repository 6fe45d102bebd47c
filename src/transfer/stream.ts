/**
 * Bytes as a stream that makes each piece only when it is asked for.
 *
 * @param ended called when all bytes were read, reading failed or the reader cancelled; twice when it cancels while a
 * piece is awaited.
 */
export function streamOf(bytes: AsyncGenerator<Uint8Array>, ended: () => void): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await bytes.next()
          if (!done) return controller.enqueue(value)
          controller.close()
        } catch (error) {
          ended()
          throw error
        }
        ended()
      },
      async cancel() {
        ended()
        await bytes.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
}
