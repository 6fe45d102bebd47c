import { expose, wrap } from 'comlink'
import type { Belief, DecideRevision, RevisionDecision } from '../../api/belief.js'
import { invalid } from '../../api/check.js'
import type { Episode } from '../../api/episode.js'
import { outcome, valueOf, type Outcome } from '../../base/outcome.js'

/** What the page does for the engine. Nothing here throws. */
interface Relay {
  decide(belief: Belief, evidence: Episode): Promise<Outcome<RevisionDecision>>
}

/**
 * The page's side: its function stays where it is and is asked through the port.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT` if it is no function.
 */
export function sendDecision(decide: DecideRevision): MessagePort {
  if (typeof decide !== 'function') {
    throw invalid(
      'decideRevision must be a function that takes a belief and an episode, and answers { verdict, reason }',
      { option: 'decideRevision' },
    )
  }
  const { port1, port2 } = new MessageChannel()
  const relay: Relay = { decide: (belief, evidence) => outcome(() => decide(belief, evidence)) }
  expose(relay, port1)
  return port2
}

/** The engine's side: the function that the page was given. */
export function receiveDecision(port: MessagePort): DecideRevision {
  const relay = wrap<Relay>(port)
  return async (belief, evidence) => valueOf((await relay.decide(belief, evidence)) as Outcome<RevisionDecision>)
}
