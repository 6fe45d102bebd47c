import { expose, wrap } from 'comlink'
import type { Summarize, Summarizer, SummaryInput } from '../../api/summarizer.js'
import { outcome, valueOf, type Outcome } from '../../base/outcome.js'

/** A summarizer on its way from the page to the engine worker, or the name of one that is built in. */
export type SummarizerPort = 'extractive' | 'none' | { readonly id: string; readonly port: MessagePort }

/** What can be sent of what is to be summarized. */
type SentInput = Omit<SummaryInput, 'latentsOf'>

/** What the page does for the engine. Nothing here throws. */
interface Relay {
  summarize(input: SentInput): Promise<Outcome<string | undefined>>
}

/** The page's side: its summarizer stays where it is and is asked through the port. */
export function sendSummarizer(summarizer: Summarize): SummarizerPort {
  if (typeof summarizer === 'string') return summarizer
  const { port1, port2 } = new MessageChannel()
  const relay: Relay = { summarize: (input) => outcome(() => summarizer.summarize(input)) }
  expose(relay, port1)
  return { id: summarizer.id, port: port2 }
}

/** The engine's side: the summarizer that the page was given. */
export function receiveSummarizer(sent: SummarizerPort): Summarize {
  if (typeof sent === 'string') return sent
  const relay = wrap<Relay>(sent.port)
  const summarize: Summarizer['summarize'] = async ({ texts, heading, maxCharacters }) =>
    valueOf(
      (await relay.summarize({ texts, maxCharacters, ...(heading !== undefined && { heading }) })) as Outcome<
        string | undefined
      >,
    )
  return { id: sent.id, summarize }
}
