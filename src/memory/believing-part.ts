// What works on beliefs: one part, which is loaded when there first are any, or the memory may come to believe
// something by itself.
export { AutomaticBeliefs } from './beliefs/automatic.js'
export { conflictingPairs, conflicts } from './beliefs/conflicts.js'
export { follow } from './beliefs/follow-evidence.js'
export { reviseBelief, reviseBeliefs } from './beliefs/revise.js'
export { Relations } from './relations.js'
export { RelevantItems } from './relevant-items.js'
