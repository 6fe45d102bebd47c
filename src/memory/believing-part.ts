// What works on beliefs now and then: one part, which is loaded when the memory first comes to believe something by
// itself, or a caller has an episode revise a belief.
export { AutomaticBeliefs } from './beliefs/automatic.js'
export { reviseBelief, reviseBeliefs } from './beliefs/revise.js'
