// What makes the commits of forgetting, and works out what of the floors is otherwise then: one part, which is loaded
// when something is first forgotten, or updated where there are beliefs or atoms.
export { rederive as rederiveBeliefs } from './beliefs/rederive.js'
export { leaveDocuments } from './documents/leave.js'
export { draftExpiry } from './forgetting/expire.js'
export { draftRestore } from './forgetting/restore.js'
export { checkTarget } from './forgetting/target.js'
export { draftUnlearn } from './forgetting/unlearn.js'
export { rederive as rederiveAtoms } from './knowledge/rederive.js'
