/**
 * Appends so many chunks to a file of the origin's private file system, each flushed before the next, and posts how
 * long each took in milliseconds.
 */
onmessage = async ({
  data: { bytes, chunks, name },
}: MessageEvent<{ bytes: number; chunks: number; name: string }>) => {
  const folder = await navigator.storage.getDirectory()
  const handle = await (await folder.getFileHandle(name, { create: true })).createSyncAccessHandle()
  const chunk = crypto.getRandomValues(new Uint8Array(Math.min(bytes, 65_536)))
  const times: number[] = []
  let at = handle.getSize()
  for (let i = 0; i < chunks; i++) {
    const whole = new Uint8Array(bytes)
    for (let done = 0; done < bytes; done += chunk.length) whole.set(chunk.subarray(0, bytes - done), done)
    const started = performance.now()
    handle.write(whole, { at })
    handle.flush()
    times.push(performance.now() - started)
    at += bytes
  }
  handle.close()
  postMessage(times)
}
