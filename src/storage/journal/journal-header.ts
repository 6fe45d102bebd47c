import type { BlockFile } from '../block/block-file.js'
import { decodeHeader, encodeHeader, HEADER_BYTES, SEALED_HEADER_BYTES, type JournalHeader } from './frame.js'

/**
 * The header of a journal; `undefined` when the file is empty or its creation was cut short. See {@link decodeHeader}.
 */
export async function readJournalHeader(file: BlockFile): Promise<JournalHeader | undefined> {
  const bytes = new Uint8Array(SEALED_HEADER_BYTES + 1)
  const head = bytes.subarray(0, await file.read(0, bytes))
  const isEmpty = head.length <= SEALED_HEADER_BYTES && head.subarray(HEADER_BYTES).every((byte) => byte === 0)
  if (!isEmpty) return decodeHeader(head.subarray(0, SEALED_HEADER_BYTES), file.name)
  // A crash of the machine may leave the length of a new file, and zeros in place of what was not written.
  const written = head.findLastIndex((byte) => byte !== 0) + 1
  try {
    return decodeHeader(head, file.name)
  } catch (error) {
    if (written < HEADER_BYTES) return decodeHeader(head.subarray(0, written), file.name)
    throw error
  }
}

/** Begins a journal anew: whatever is in the file is gone. */
export async function writeHeader(file: BlockFile, header: JournalHeader): Promise<void> {
  // Flushed in between, so that a crash never leaves the new header over the old frames, or a mixture of two headers.
  if ((await file.size()) > 0) {
    await file.truncate(0)
    await file.flush()
  }
  await file.write(0, encodeHeader(header))
  await file.flush()
}
