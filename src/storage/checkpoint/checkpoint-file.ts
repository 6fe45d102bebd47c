import { asBytes, type CheckpointParts } from '../../base/checkpoint-parts.js'
import { AgidbError } from '../../base/errors.js'
import type { BlockFile } from '../block/block-file.js'
import { crc32c } from '../../base/crc32c.js'
import { erase } from '../recovery/erase.js'
import { Extents, type Extent } from '../journal/extents.js'
import type { CheckpointPart, StoredCheckpoint } from '../../api/storage.js'
import { pace } from '../../base/pace.js'
import {
  decodeSuperblock,
  encodeSuperblock,
  SUPERBLOCK_BYTES,
  SUPERBLOCKS,
  type Superblock,
} from '../journal/superblock.js'
import { decodeUtf8, encodeUtf8 } from '../../base/utf8.js'

/** The state of a journal that a checkpoint is of. */
export interface CheckpointBase {
  readonly databaseId: string
  readonly epoch: number
  /** The place after the last commit that is in the checkpoint. */
  readonly lsn: number
  readonly at: number
  /** Where the last commit begins, and its checksum: another history has another. */
  readonly anchorAt: number
  readonly anchor: number
}

const TYPES = { u8: Uint8Array, u16: Uint16Array, i32: Int32Array, u32: Uint32Array, f64: Float64Array } as const
type TypeName = keyof typeof TYPES

/** Where a part lies. */
export interface Entry extends Extent {
  readonly name: string
  readonly type: TypeName
  /** CRC-32C; only of what has no mark. */
  readonly checksum?: number
  readonly mark?: string
}

/** What a checkpoint consists of. */
export interface CheckpointContents {
  readonly parts: readonly Entry[]
  /** Where the directory of the parts lies. */
  readonly directory: Extent
}

interface Directory {
  readonly base: CheckpointBase
  readonly parts: readonly Entry[]
}

/** Copied at a time on its way to the file. */
const CHUNK_BYTES = 1 << 20

/**
 * A file with a checkpoint of the indexes, which can always be made again from the journal. The file has two
 * superblocks, and each names the directory of one checkpoint. A write never overwrites the checkpoint of one
 * superblock before the other superblock is on the disk, so a crash leaves the newest checkpoint or the one before it.
 */
export class CheckpointFile implements StoredCheckpoint {
  readonly #file: BlockFile
  #superblock: Superblock | undefined
  #directory: Directory | undefined
  #generation = 0
  /** No checkpoint is kept any more, because there was no room. */
  #gaveWay = false

  private constructor(file: BlockFile) {
    this.#file = file
  }

  /** Opens the file; one in which no checkpoint can be read counts as empty. */
  static async open(file: BlockFile): Promise<CheckpointFile> {
    const checkpoint = new CheckpointFile(file)
    const heads = await checkpoint.read({ at: 0, bytes: SUPERBLOCKS * SUPERBLOCK_BYTES })
    const found = Array.from({ length: SUPERBLOCKS }, (_, i) =>
      decodeSuperblock(heads.subarray(i * SUPERBLOCK_BYTES, (i + 1) * SUPERBLOCK_BYTES)),
    )
    checkpoint.#generation = Math.max(0, ...found.map((superblock) => superblock?.generation ?? 0))
    for (const superblock of found
      .filter((superblock) => superblock !== undefined)
      .sort((a, b) => b.generation - a.generation)) {
      const bytes = await checkpoint.read(superblock.directory)
      if (bytes.length !== superblock.directory.bytes || crc32c(bytes) !== superblock.checksum) continue
      const directory = decodeDirectory(bytes, await file.size())
      if (directory === undefined) continue
      checkpoint.#superblock = superblock
      checkpoint.#directory = directory
      break
    }
    return checkpoint
  }

  /** What the checkpoint is of; `undefined` when there is none. */
  get base(): CheckpointBase | undefined {
    return this.#directory?.base
  }

  /** Length of the file. */
  async size(): Promise<number> {
    return this.#file.size()
  }

  async parts(prefix: string, isAuthenticated?: (bytes: Uint8Array) => boolean): Promise<CheckpointParts> {
    const parts: CheckpointParts = new Map()
    const rest = pace()
    for (const { name, type, checksum, mark, ...extent } of this.#directory?.parts ?? []) {
      if (mark !== undefined || !name.startsWith(prefix)) continue
      const bytes = await this.read(extent)
      const isWhole = bytes.length === extent.bytes && (isAuthenticated?.(bytes) || crc32c(bytes) === checksum)
      if (!isWhole) throw damaged(this.#file.name, name)
      const array = TYPES[type]
      parts.set(name, new array(bytes.buffer, 0, bytes.length / array.BYTES_PER_ELEMENT))
      await rest()
    }
    return parts
  }

  marked(name: string): { readonly bytes: number; readonly mark: string } | undefined {
    const entry = this.#directory?.parts.find((entry) => entry.name === name)
    return entry?.mark === undefined ? undefined : { bytes: entry.bytes, mark: entry.mark }
  }

  async fill(name: string, into: Uint8Array, from: number): Promise<void> {
    const entry = this.#directory?.parts.find((entry) => entry.name === name)
    const fits = entry !== undefined && from + into.length <= entry.bytes
    if (!fits || (await this.#file.read(entry.at + from, into)) !== into.length) throw damaged(this.#file.name, name)
  }

  /**
   * Replaces this checkpoint by another one. After an error this one is still there, and takes no more space than
   * before.
   *
   * @throws AgidbError `AGIDB_QUOTA`, `AGIDB_STORAGE`.
   */
  async keep(base: CheckpointBase, parts: Iterable<CheckpointPart>): Promise<void> {
    if (this.#gaveWay) {
      const message =
        `${this.#file.name} is not written again before the next opening: ` +
        'there was no room for it beside the journal'
      throw new AgidbError('AGIDB_QUOTA', message, { file: this.#file.name })
    }
    const before = this.#inUse
    try {
      await this.#replace(base, parts)
    } catch (error) {
      const cutBack = async (): Promise<void> => this.#file.truncate(before)
      await cutBack().catch(() => {})
      throw error
    }
    await this.#file.truncate(this.#inUse)
  }

  /**
   * Deletes the checkpoint to free space for data that cannot be made again. No checkpoint is written until the file is
   * opened again. Answers whether the checkpoint took any space.
   */
  async giveWay(): Promise<boolean> {
    this.#gaveWay = true
    if ((await this.#file.size()) === 0) return false
    // A file system that never writes over what is there may have no room for that, either.
    await this.clear().catch(async () => this.#file.truncate(0))
    await this.#file.flush()
    return true
  }

  async #replace(base: CheckpointBase, parts: Iterable<CheckpointPart>): Promise<void> {
    const before = this.#directory?.parts ?? []
    const extents = new Extents(SUPERBLOCKS * SUPERBLOCK_BYTES, [
      ...before,
      ...(this.#superblock ? [this.#superblock.directory] : []),
    ])
    const kept: Entry[] = []
    for (const part of parts) {
      const same =
        part.mark === undefined ? undefined : before.find(({ name, mark }) => name === part.name && mark === part.mark)
      kept.push(same ?? (await this.#write(part, extents)))
    }
    const bytes = encodeUtf8(JSON.stringify({ base, parts: kept } satisfies Directory))
    const directory = { at: extents.take(bytes.length), bytes: bytes.length }
    await this.#file.write(directory.at, bytes)
    await this.#file.flush()
    const superblock = { generation: this.#generation + 1, directory, checksum: crc32c(bytes) }
    await this.#file.write((superblock.generation % SUPERBLOCKS) * SUPERBLOCK_BYTES, encodeSuperblock(superblock))
    await this.#file.flush()
    this.#superblock = superblock
    this.#generation = superblock.generation
    this.#directory = { base, parts: kept }
  }

  /** What there is to check: the places of all that the newest superblock names. */
  get contents(): CheckpointContents | undefined {
    if (this.#directory === undefined || this.#superblock === undefined) return undefined
    return { parts: this.#directory.parts, directory: this.#superblock.directory }
  }

  /** The name of the file. */
  get name(): string {
    return this.#file.name
  }

  /** The bytes of a place, as far as the file has them. */
  async read({ at, bytes }: Extent): Promise<Uint8Array<ArrayBuffer>> {
    const size = await this.#file.size()
    const into = new Uint8Array(Math.max(0, Math.min(bytes, size - at)))
    return into.subarray(0, await this.#file.read(at, into))
  }

  /** Where what the superblock names ends. */
  get #inUse(): number {
    const extents = [...(this.#directory?.parts ?? []), ...(this.#superblock ? [this.#superblock.directory] : [])]
    return Math.max(0, ...extents.map(({ at, bytes }) => at + bytes))
  }

  /** Overwrites all of it, and cuts it off. */
  async clear(): Promise<void> {
    this.#superblock = undefined
    this.#directory = undefined
    await erase(this.#file)
  }

  async #write({ name, array, mark }: CheckpointPart, extents: Extents): Promise<Entry> {
    const whole = await array()
    const { byteLength: bytes } = whole
    const type = (Object.keys(TYPES) as TypeName[]).find((type) => whole instanceof TYPES[type])!
    const at = extents.take(bytes)
    const checksum = mark === undefined ? crc32c(asBytes(await array())) : undefined
    const rest = pace()
    for (let done = 0; done < bytes; done += CHUNK_BYTES) {
      await this.#file.write(at + done, asBytes(await array()).slice(done, done + CHUNK_BYTES))
      await rest()
    }
    return { name, type, at, bytes, ...(mark === undefined ? { checksum } : { mark }) }
  }
}

/** `undefined` for what no program of ours wrote in a file of this length, whatever its checksum says. */
function decodeDirectory(bytes: Uint8Array, size: number): Directory | undefined {
  try {
    const { base, parts } = JSON.parse(decodeUtf8(bytes)) as Directory
    const isPlace = (...numbers: unknown[]): boolean =>
      numbers.every((number) => Number.isSafeInteger(number) && (number as number) >= 0)
    const isEntry = ({ name, type, at, bytes, checksum, mark }: Entry): boolean =>
      typeof name === 'string' &&
      Object.hasOwn(TYPES, type) &&
      isPlace(at, bytes) &&
      at + bytes <= size &&
      (typeof mark === 'string' || (mark === undefined && isPlace(checksum)))
    const fits =
      typeof base.databaseId === 'string' &&
      isPlace(base.epoch, base.lsn, base.at, base.anchorAt, base.anchor) &&
      Array.isArray(parts) &&
      parts.every(isEntry)
    return fits ? { base, parts } : undefined
  } catch {
    return undefined
  }
}

function damaged(file: string, part: string): AgidbError {
  return new AgidbError(
    'AGIDB_CORRUPT',
    `the part ${part} of ${file} is damaged; it will be made again from the journal`,
    { file, part },
  )
}
