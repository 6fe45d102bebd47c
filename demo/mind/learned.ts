import type { LearningEvent } from '../../src/runtimes/browser/index.js'
import { count, counted, percent } from '../format.js'
import { short } from './said.js'

/** Events of one kind that came at once, in the order given. */
export function together(events: readonly LearningEvent[]): LearningEvent[][] {
  const groups: LearningEvent[][] = []
  for (const event of events) {
    const last = groups.at(-1)
    if (last !== undefined && last[0].kind === event.kind && last[0].at === event.at) last.push(event)
    else groups.push([event])
  }
  return groups
}

/**
 * What an event tells, in a sentence; `episode` is the text of the one that it is about, where that is worth saying.
 */
export function learned(event: LearningEvent, episode?: string): string {
  switch (event.kind) {
    case 'episodeStored':
      return 'Remembered an episode'
    case 'episodeSuperseded':
      return 'Replaced an episode by a newer one'
    case 'episodeUpdated':
      return 'Changed what an episode says'
    case 'episodeLinked':
      return `Remembered it ${event.goal === undefined ? 'with a belief' : 'for a goal'}`
    case 'sensoryFramePromoted':
      return (
        `Remembered ${episode === undefined ? 'what it perceived' : `“${short(episode)}”`} ` +
        `(${event.reason === 'surprise' ? '' : `${event.reason}, `}surprise ${event.surprise.toFixed(2)})`
      )
    case 'semanticAtomFormed':
      return `Knows now: “${short(event.statement)}”, from ${counted(event.episodes.length, 'episode', 'episodes')}`
    case 'semanticAtomRevised':
      return `Heard again what it knew, in ${counted(event.episodes.length, 'episode', 'episodes')}`
    case 'contradictionDetected':
      return `Found a contradiction: ${event.subject} ${event.predicate} ${event.objects.join(' and ')}`
    case 'consolidationRun':
      return (
        `Consolidated ${counted(event.episodes, 'episode', 'episodes')}: ${count(event.atomsFormed)} formed, ` +
        `${count(event.atomsRevised)} made firmer`
      )
    case 'episodesAssociated':
      return 'Made the association of two episodes stronger'
    case 'entitiesRelated':
      return `Was told: ${short(event.from)} ${short(event.relation)} ${short(event.to)}`
    case 'edgesForgotten':
      return 'Forgot an edge of a graph'
    case 'recallsLearned':
      return `Learned from ${counted(event.recalls.length, 'recall', 'recalls')} what belongs together`
    case 'entriesChanged':
      return event.by === 'aging'
        ? `Put ${counted(event.entries.length, 'entry', 'entries')} out of sight, which nobody needed`
        : `Changed ${counted(event.entries.length, 'entry', 'entries')} of documents`
    case 'entryLinked':
      return `Linked two entries: ${short(event.relation)}`
    case 'entryUnlinked':
      return `Took a link of two entries away: ${short(event.relation)}`
    case 'entriesAccessed':
      return `Noted which entries ${counted(event.accesses.length, 'search', 'searches')} found`
    case 'documentIngested':
      return `Read a document: ${short(event.source)}`
    case 'entriesThought':
      return `Thought about documents, of which ${counted(event.entries.length, 'entry', 'entries')} came`
    case 'perspectiveDefined':
      return `Sees documents from a new side: ${short(event.perspective)}`
    case 'perspectiveRemoved':
      return `Gave up a perspective: ${short(event.perspective)}`
    case 'agingConfigured':
      return `Documents age after ${counted(event.degradeAfterDays, 'day', 'days')} without use`
    case 'procedureLearned':
      return `Learned how to: ${short(event.name)}`
    case 'procedureRevised':
      return 'Does something in another way'
    case 'procedureRetired':
      return `Gave up a way of doing something: ${short(event.reason)}`
    case 'procedureExecuted':
      return `Did something it knows how to: it ${event.execution.success ? 'went well' : 'failed'}`
    case 'goalSet':
      return `Set a goal: “${short(event.description)}”`
    case 'goalRevised':
      return 'Put a goal differently'
    case 'goalStateChanged':
      return `A goal went from ${event.from.kind} to ${event.to.kind}`
    case 'beliefAsserted':
      return `Believes: “${short(event.claim)}” (${percent(event.confidence)})`
    case 'beliefReasserted':
      return `Believes again: “${short(event.claim)}”`
    case 'beliefRevised':
      return `Revised a belief: ${percent(event.revision.before ?? 0)} → ${percent(event.revision.after)}`
    case 'beliefWithdrawn':
      return `Withdrew a belief: ${short(event.revision.reason)}`
    case 'conceptsMerged':
      return `Takes “${short(event.names[0])}” and “${short(event.names[1])}” for one`
    case 'conceptsSplit':
      return `Tells ${event.names.map((name) => `“${short(name)}”`).join(', ')} from ${event.from.join(', ')}`
    case 'attentionTraced':
      return `Traced a recall: “${short(event.cue)}”`
    case 'selfVectorUpdated':
      return `Epoch ${count(event.epoch)}: drifted by ${counted(event.drift, 'bit', 'bits')}`
    case 'unlearned':
      return `Forgot ${counted(event.episodesRemoved, 'episode', 'episodes')}: ${short(event.reason)}`
    case 'restored':
      return 'Took back that it had forgotten something'
  }
}
