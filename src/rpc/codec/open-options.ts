import type { OpenOptions } from '../../api/open-options.js'
import { OPEN_OPTIONS, type OptionName, type OptionsWith } from '../../api/option-table.js'
import { DEFAULT_LIMITS, invalid } from '../../api/check.js'
import { encodersCheck, extractCheck, progressCheck, summarizerCheck } from '../../api/function-options.js'
import { receiveDecision, sendDecision } from './decision-port.js'
import { receiveEncoder, sendEncoder, type EncoderPort } from './encoder-port.js'
import { type EncodersPort, receiveEncoders, sendEncoders } from './encoders-port.js'
import { type ExtractorPort, receiveExtractor, sendExtractor } from './extractor-port.js'
import { receiveProgress, sendProgress } from './progress-port.js'
import { receiveSummarizer, sendSummarizer, type SummarizerPort } from './summarizer-port.js'

/** A URL, which cannot be cloned, as its text. */
interface SentUrl {
  readonly url: string
}

/** The options of `open` in the form in which they cross to the engine worker. */
export interface WorkerOptions extends Pick<OpenOptions, OptionsWith<'crossing', 'cloned'> & keyof OpenOptions> {
  /** The database of this origin; absent: in memory. */
  readonly name?: string
  readonly kernel?: WebAssembly.Module | BufferSource | SentUrl
  readonly codebook?: 'static' | 'none' | BufferSource | SentUrl
  readonly encoder?: EncoderPort
  readonly encoders?: EncodersPort
  readonly extractor?: ExtractorPort
  readonly summarizer?: SummarizerPort
  /** These lead to functions of the page. */
  readonly onProgress?: MessagePort
  readonly decideRevision?: MessagePort
}

/** The options of `open` that have to do with a page; `name` is that of the database. */
type PageOptions = OpenOptions & { readonly name?: string }

/**
 * The form of the options that crosses, as the table of options says of each.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT` for an option that cannot cross, such as `clock`.
 */
export function encodeOpenOptions(options: PageOptions): WorkerOptions {
  const sent: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue
    const { crossing } = OPEN_OPTIONS[name as OptionName]
    if (crossing === 'refused')
      throw invalid(
        `${name} cannot be set in a browser page: the engine runs in a worker, and functions do not cross to it`,
        { option: name },
      )
    if (crossing === 'cloned') sent[name] = value
    if (crossing === 'url') sent[name] = value instanceof URL ? ({ url: value.href } satisfies SentUrl) : value
  }
  const { encoder, onEncoded, encoders, extract, onExtracted, summarizer, decideRevision, onProgress } = options
  if (onEncoded !== undefined) progressCheck(onEncoded, 'onEncoded', DEFAULT_LIMITS)
  if (encoder !== undefined) sent['encoder'] = sendEncoder(encoder, onEncoded)
  if (encoders !== undefined) encodersCheck(encoders, 'encoders', DEFAULT_LIMITS)
  if (encoders !== undefined) sent['encoders'] = sendEncoders(encoders)
  if (extract !== undefined) extractCheck(extract, 'extract', DEFAULT_LIMITS)
  if (onExtracted !== undefined) progressCheck(onExtracted, 'onExtracted', DEFAULT_LIMITS)
  if (extract !== undefined || onExtracted !== undefined) sent['extractor'] = sendExtractor(extract, onExtracted)
  if (summarizer !== undefined) summarizerCheck(summarizer, 'summarizer', DEFAULT_LIMITS)
  if (summarizer !== undefined) sent['summarizer'] = sendSummarizer(summarizer)
  if (onProgress !== undefined) sent['onProgress'] = sendProgress(onProgress)
  if (decideRevision !== undefined) sent['decideRevision'] = sendDecision(decideRevision)
  return sent
}

/** The ports that are transferred with the options. */
export function portsOf({
  encoder,
  encoders,
  extractor,
  summarizer,
  decideRevision,
  onProgress,
}: WorkerOptions): MessagePort[] {
  const asked = typeof summarizer === 'object' ? summarizer.port : undefined
  const ports = [encoder?.port, encoders?.port, extractor?.port, asked, decideRevision, onProgress]
  return ports.filter((port) => port !== undefined)
}

/** The options as the page was given them, in the worker. */
export function decodeOpenOptions({
  kernel,
  codebook,
  encoder,
  encoders,
  extractor,
  summarizer,
  decideRevision,
  onProgress,
  ...cloned
}: WorkerOptions): PageOptions {
  return {
    ...cloned,
    kernel: isSentUrl(kernel) ? new URL(kernel.url) : kernel,
    codebook: isSentUrl(codebook) ? new URL(codebook.url) : codebook,
    ...(encoder && receiveEncoder(encoder)),
    ...(encoders && { encoders: receiveEncoders(encoders) }),
    ...(extractor && receiveExtractor(extractor)),
    ...(summarizer && { summarizer: receiveSummarizer(summarizer) }),
    ...(onProgress && { onProgress: receiveProgress(onProgress) }),
    ...(decideRevision && { decideRevision: receiveDecision(decideRevision) }),
  }
}

function isSentUrl(value: unknown): value is SentUrl {
  return typeof value === 'object' && value !== null && 'url' in value
}
