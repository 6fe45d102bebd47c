import { expose, wrap } from 'comlink'
import type { Progress } from '../../base/progress.js'
import type { Extract, Extraction, ExtractionContext, Extractor, OnExtracted } from '../../api/extractor.js'
import { outcome, valueOf, type Outcome } from '../../base/outcome.js'

/** An extractor on its way from the page to the engine worker, or the name of one that is built in. */
export interface ExtractorPort {
  readonly extract?: 'rules' | 'none' | Pick<Extractor, 'id' | 'version'>
  /** Leads back to the page. */
  readonly port: MessagePort
}

/** What the page does for the engine. Nothing here throws. */
interface Relay {
  extract(texts: readonly string[], contexts: readonly ExtractionContext[]): Promise<Outcome<Extraction[]>>
  extracted(progress: Progress): Promise<Outcome<void>>
}

/** The page's side: its extractor stays where it is and is asked through the port. */
export function sendExtractor(extract: Extract | undefined, onExtracted: OnExtracted | undefined): ExtractorPort {
  const { port1, port2 } = new MessageChannel()
  const relay: Relay = {
    extract: (texts, contexts) => outcome(() => (extract as Extractor).extract(texts, contexts)),
    extracted: (progress) => outcome(() => onExtracted?.(progress)),
  }
  expose(relay, port1)
  if (typeof extract !== 'object') return { extract, port: port2 }
  const { id, version } = extract
  return { extract: { id, version }, port: port2 }
}

/** The engine's side: the options that the page was given. */
export function receiveExtractor({ extract, port }: ExtractorPort): { extract?: Extract; onExtracted: OnExtracted } {
  const relay = wrap<Relay>(port)
  const onExtracted: OnExtracted = async (progress) => valueOf(await relay.extracted(progress))
  if (extract === undefined) return { onExtracted }
  if (typeof extract === 'string') return { extract, onExtracted }
  return {
    extract: {
      ...extract,
      extract: async (texts, contexts) => valueOf(await relay.extract(texts, contexts)),
    },
    onExtracted,
  }
}
