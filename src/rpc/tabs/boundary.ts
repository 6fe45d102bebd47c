import { invalid } from '../../api/check.js'
import type { MethodSpec, MethodTable } from '../../api/methods/method.js'
import { METHODS, specOf } from '../../api/registry.js'
import type { RemoteMethod, FromClient, FromOwner, Notice } from './protocol.js'

/**
 * A message on a channel may be anything: tabs of another version of this library use the same, and any page of the
 * origin can. What is none of the messages of this version is passed over.
 */

type Fields = Readonly<Record<string, unknown>>

/** UTF-16 units of a term, a handle, a writer or a kind: far more than ours have. */
const MAX_TEXT = 4_096

/** A message on the channel of all tabs, or `undefined`. */
export function noticeIn(data: unknown): Notice | undefined {
  if (!isObject(data)) return undefined
  const { kind, from, term, change } = data
  const fits =
    (kind === 'hello' && isText(from)) ||
    ((kind === 'opening' || kind === 'owner') && isText(term)) ||
    (kind === 'change' && isChange(change))
  return fits ? (data as unknown as Notice) : undefined
}

/** A message of a client to the owner, or `undefined`. */
export function fromClientIn(data: unknown): FromClient | undefined {
  if (!isObject(data) || !isText(data['term']) || !Number.isSafeInteger(data['call'])) return undefined
  const { kind } = data
  const fits =
    kind === 'abort' || (kind === 'part' && Array.isArray(data['items'])) || (kind === 'call' && isCallMessage(data))
  return fits ? (data as unknown as FromClient) : undefined
}

/** A message of the owner to a client, or `undefined`. */
export function fromOwnerIn(data: unknown): FromOwner | undefined {
  if (!isObject(data)) return undefined
  const { kind, term, open, call, outcome, progress } = data
  if (kind === 'welcome') return isText(term) && typeof open === 'boolean' ? (data as unknown as FromOwner) : undefined
  const fits =
    Number.isSafeInteger(call) &&
    ((kind === 'answer' && isOutcome(outcome)) || (kind === 'progress' && isObject(progress)))
  return fits ? (data as unknown as FromOwner) : undefined
}

/**
 * How the pages of `episodes` cross, each a call, since another tab may be the owner when the next is asked for; and
 * the question for admission.
 */
const PAGE: MethodSpec = { effect: 'reads' }

/**
 * What the registry says of a method that a tab may call in another.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT` for a method that no tab calls.
 */
export function remoteSpec(method: RemoteMethod, methods: MethodTable = METHODS): MethodSpec {
  const spec = method === 'page' || method === 'admit' ? PAGE : specOf(methods, method)
  if (spec !== undefined && !spec.perHandle && (spec.output === undefined || spec.output === 'bytes')) return spec
  throw invalid('a call must name a method of a database; tabs with two versions of agidb? reload them all', {
    method: String(method).slice(0, 40),
  })
}

function isCallMessage({ method, args, inParts, progress, writer, readOnly, received }: Fields): boolean {
  const flags = [inParts, progress, readOnly].every((flag) => typeof flag === 'boolean')
  return flags && isText(method) && Array.isArray(args) && isText(writer) && Number.isSafeInteger(received)
}

function isChange(change: unknown): boolean {
  if (!isObject(change)) return false
  const { kind, ids, slot, writer, from } = change
  return (
    [kind, writer, from].every(isText) &&
    Number.isSafeInteger(slot) &&
    Array.isArray(ids) &&
    ids.every((id) => typeof id === 'string')
  )
}

function isOutcome(outcome: unknown): boolean {
  if (!isObject(outcome)) return false
  const { ok, error } = outcome
  return (
    ok === true ||
    (ok === false && isObject(error) && typeof error['code'] === 'string' && typeof error['message'] === 'string')
  )
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.length <= MAX_TEXT
}

function isObject(data: unknown): data is Fields {
  return typeof data === 'object' && data !== null
}
