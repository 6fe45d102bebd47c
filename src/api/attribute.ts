/**
 * The names under which what callers give with an episode is indexed and asked for: `tags`, `expiresAt`, and
 * `metadata.` with the path of a value.
 */
export const TAGS = 'tags'
/** The attribute that holds when an episode expires. */
export const EXPIRES_AT = 'expiresAt'
/** The attribute that holds the metadata of an episode. */
export const METADATA = 'metadata'

/**
 * Characters of a string by which it is compared: of a longer one only these are indexed, so a filter takes no more.
 * Where a string ends decides only between those that agree in all of them.
 */
export const COMPARED_CHARACTERS = 256

/** The name of a member: its own name after that of what it is a member of, with `.` and `\` escaped by `\`. */
export function memberOf(attribute: string, member: string): string {
  return `${attribute}.${/[.\\]/.test(member) ? member.replace(/[.\\]/g, '\\$&') : member}`
}

/** Whether each backslash of a path escapes a dot or another backslash. */
export function isPath(path: string): boolean {
  return !path.includes('\\') || /^(?:[^\\]|\\[.\\])*$/s.test(path)
}
