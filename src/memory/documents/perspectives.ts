import type { Perspective } from '../../api/identity.js'

/** The perspectives that every memory has. */
export const BUILT_IN: readonly Perspective[] = [
  { id: 'intentions', hint: 'Goals, motivations, plans', isBuiltIn: true },
  { id: 'people', hint: 'Persons, relationships, roles, organizations', isBuiltIn: true },
  { id: 'temporal', hint: 'Timelines, milestones, chronology', isBuiltIn: true },
  { id: 'knowledge', hint: 'Durable expertise, definitions, concepts, references', isBuiltIn: true },
  { id: 'decisions', hint: 'Decisions, trade-offs, alternatives', isBuiltIn: true },
  { id: 'learnings', hint: 'Insights, mistakes, lessons learned, surprises', isBuiltIn: true },
  { id: 'session', hint: 'Work sessions, context summaries, handoffs', isBuiltIn: true },
]
