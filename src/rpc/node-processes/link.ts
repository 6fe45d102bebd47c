import type { Socket } from 'node:net'
import { Decoder, encode, type Encoded, type Message } from './message.js'

/** A connection with another process, once both know each other. It does not keep the process alive. */
export class Link {
  /** Settles when the connection has ended, however that came about. */
  readonly ended: Promise<void>
  /** Told of each message. */
  onMessage: (message: Message) => void = () => {}
  readonly #socket: Socket
  readonly #maxUnread: number
  /** What is sent while the bytes of a Blob go. */
  #sending: Promise<void> | undefined

  /**
   * @param rest bytes that came with the greeting.
   * @param maxUnread bytes that may wait for the other process, beside those of Blobs; one that does not read them is
   * let go of, since they are kept in the main memory of this one.
   */
  constructor(socket: Socket, rest: Buffer, maxUnread = Infinity) {
    this.#socket = socket
    this.#maxUnread = maxUnread
    socket.unref()
    socket.setTimeout(0)
    this.ended = new Promise((resolve) => socket.once('close', () => resolve()))
    const decoder = new Decoder((message) => this.onMessage(message))
    const read = (bytes: Buffer): void => {
      try {
        decoder.push(bytes)
      } catch {
        socket.destroy() // it is no process of this library
      }
    }
    // The maker of the link first sets the listener of messages.
    queueMicrotask(() => {
      read(rest)
      socket.on('data', read).resume() // it was paused after the greeting
    })
  }

  /** @throws Error for what cannot be cloned. */
  post(message: Message): void {
    const encoded = encode(message)
    if (this.#socket.destroyed) return
    if (this.#sending === undefined && encoded.blobs.length === 0) {
      this.#write(encoded.head)
      return
    }
    const sending = (this.#sending ?? Promise.resolve())
      .then(() => this.#sendAll(encoded))
      .catch(() => this.destroy()) // a Blob that cannot be read leaves a message without its end
      .finally(() => {
        if (this.#sending === sending) this.#sending = undefined
      })
    this.#sending = sending
  }

  /** Ends the connection, after what was posted. */
  close(): void {
    void (this.#sending ?? Promise.resolve()).then(() => this.#socket.destroySoon())
  }

  /** Ends the connection at once. */
  destroy(): void {
    this.#socket.destroy()
  }

  #write(bytes: Uint8Array): boolean {
    const goesOn = this.#socket.write(bytes)
    if (this.#sending === undefined && this.#socket.writableLength > this.#maxUnread) this.#socket.destroy()
    return goesOn
  }

  async #sendAll({ head, blobs }: Encoded): Promise<void> {
    this.#write(head)
    for (const blob of blobs) {
      for await (const bytes of blob.stream() as unknown as AsyncIterable<Uint8Array>) {
        if (this.#socket.destroyed) return
        if (!this.#write(bytes)) await this.#drained()
      }
    }
  }

  #drained(): Promise<unknown> {
    return Promise.race([this.ended, new Promise((resolve) => this.#socket.once('drain', resolve))])
  }
}
