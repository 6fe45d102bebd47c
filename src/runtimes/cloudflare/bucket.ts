import type { Agidb } from '../../api/agidb.js'
import type { ExportOptions, ImportOptions, ImportReport } from '../../api/portable.js'
import { AgidbError } from '../../base/errors.js'

/** What is used of an R2 bucket: the binding of a Worker. */
export interface Bucket {
  get(key: string): Promise<{ readonly body: ReadableStream<Uint8Array> } | null>
  createMultipartUpload(key: string): Promise<BucketUpload>
}

/** What is used of an upload in parts. */
export interface BucketUpload {
  uploadPart(number: number, bytes: Uint8Array): Promise<BucketPart>
  complete(parts: BucketPart[]): Promise<unknown>
  abort(): Promise<void>
}

/** A part that was uploaded. */
export interface BucketPart {
  readonly partNumber: number
  readonly etag: string
}

/** Bytes of each part but the last: R2 takes no fewer, and all of one size. */
const PART_BYTES = 5 * 2 ** 20

/**
 * Exports a memory to an object of an R2 bucket, in parts: the whole is never in main memory. The object appears once
 * all of it is there; what was under the key until then is replaced.
 *
 * @returns the bytes of the object.
 * @throws AgidbError what `export` throws; or what R2 rejects with, and then the bucket is as it was.
 */
export async function exportToBucket(
  db: Pick<Agidb, 'export'>,
  bucket: Bucket,
  key: string,
  options?: ExportOptions,
): Promise<number> {
  const upload = await bucket.createMultipartUpload(key)
  try {
    const parts: BucketPart[] = []
    let total = 0
    for await (const bytes of inParts(await db.export(options))) {
      parts.push(await upload.uploadPart(parts.length + 1, bytes))
      total += bytes.length
    }
    await upload.complete(parts)
    return total
  } catch (error) {
    await upload.abort().catch(() => undefined) // What failed first is what is told.
    throw error
  }
}

/**
 * Fills a memory from an object of an R2 bucket, all or nothing.
 *
 * @throws AgidbError `AGIDB_NOT_FOUND` where the bucket has no such object; what `import` throws.
 */
export async function importFromBucket(
  db: Pick<Agidb, 'import'>,
  bucket: Bucket,
  key: string,
  options?: ImportOptions,
): Promise<ImportReport> {
  const object = await bucket.get(key)
  if (object === null) throw new AgidbError('AGIDB_NOT_FOUND', `the bucket has no object "${key}"`, { key })
  return db.import(object.body, options)
}

/** The bytes of a stream in pieces of {@link PART_BYTES}; the last may have fewer. */
async function* inParts(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  let part = new Uint8Array(PART_BYTES)
  let filled = 0
  for await (const bytes of stream) {
    for (let at = 0; at < bytes.length; ) {
      const taken = bytes.subarray(at, at + PART_BYTES - filled)
      part.set(taken, filled)
      at += taken.length
      filled += taken.length
      if (filled < PART_BYTES) continue
      yield part
      part = new Uint8Array(PART_BYTES)
      filled = 0
    }
  }
  if (filled > 0) yield part.subarray(0, filled)
}
