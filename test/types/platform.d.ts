// What every JavaScript runtime has beside the language. The neutral code may use this and no more.
interface AbortSignal {
  readonly aborted: boolean
  readonly reason: unknown
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void
  removeEventListener(type: 'abort', listener: () => void): void
}

declare class AbortController {
  readonly signal: AbortSignal
  abort(reason?: unknown): void
}

declare class TextEncoder {
  encode(text?: string): Uint8Array<ArrayBuffer>
  encodeInto(text: string, into: Uint8Array): { read: number; written: number }
}

declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean })
  decode(bytes?: BufferSource, options?: { stream?: boolean }): string
}

declare class URL {
  constructor(url: string, base?: string | URL)
  readonly href: string
  readonly protocol: string
  readonly origin: string
  readonly pathname: string
  readonly search: string
  readonly hash: string
  readonly username: string
  readonly password: string
}

interface ReadableStream<T> {
  getReader(): {
    read(): Promise<{ done: true; value?: undefined } | { done: false; value: T }>
    cancel(): Promise<void>
  }
}
declare const ReadableStream: {
  new <T>(
    source: { pull(controller: { enqueue(chunk: T): void; close(): void }): Promise<void>; cancel?(): Promise<void> },
    strategy: { highWaterMark: number },
  ): ReadableStream<T>
}

interface Blob {
  readonly size: number
  readonly type: string
  arrayBuffer(): Promise<ArrayBuffer>
}
declare const Blob: { new (): Blob }
interface CryptoKey {
  readonly type: string
}

interface ImportMeta {
  readonly url: string
}

declare const console: { warn(message: string): void }
declare const performance: { now(): number }
declare const crypto: {
  getRandomValues<T extends ArrayBufferView>(array: T): T
  readonly subtle?: {
    digest(algorithm: 'SHA-256', bytes: BufferSource): Promise<ArrayBuffer>
    importKey(
      format: 'raw',
      bytes: BufferSource,
      algorithm: 'PBKDF2' | 'AES-GCM',
      extractable: false,
      uses: string[],
    ): Promise<CryptoKey>
    deriveKey(by: object, from: CryptoKey, algorithm: object, extractable: false, uses: string[]): Promise<CryptoKey>
    encrypt(algorithm: object, key: CryptoKey, bytes: BufferSource): Promise<ArrayBuffer>
    decrypt(algorithm: object, key: CryptoKey, bytes: BufferSource): Promise<ArrayBuffer>
  }
}
declare class MessageChannel {}
declare function setTimeout(callback: () => void, ms: number): unknown
declare function clearTimeout(timer: unknown): void
declare function setInterval(callback: () => void, ms: number): unknown
declare function clearInterval(timer: unknown): void
declare function structuredClone<T>(value: T): T
interface Response {
  readonly ok: boolean
  readonly status: number
  readonly type: 'basic' | 'cors' | 'default' | 'error' | 'opaque' | 'opaqueredirect'
  readonly headers: { get(name: string): string | null }
  readonly body:
    | (ReadableStream<Uint8Array<ArrayBuffer>> & {
        cancel(): Promise<void>
      })
    | null
  arrayBuffer(): Promise<ArrayBuffer>
}
declare function fetch(
  url: URL | string,
  options?: {
    method: 'POST'
    headers: Record<string, string>
    body: string
    signal: AbortSignal
    redirect: 'manual'
  },
): Promise<Response>
