/** The kinds of records that have a resource each. */
export type ResourceKind = 'episodes' | 'entries' | 'beliefs' | 'documents' | 'perspectives' | 'sessions'

/** The address of a record: `memory://episodes/ep_…`. */
export function uriOf(kind: ResourceKind, id: string): string {
  return `memory://${kind}/${encodeURIComponent(id)}`
}
