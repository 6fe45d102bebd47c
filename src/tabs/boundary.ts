import { METHODS } from '../core/methods.js'
import type { FromClient, FromOwner, Notice } from './protocol.js'

/** UTF-16 units of a term, a handle, a writer or a kind, far more than ours have. */
const MOST_TEXT = 4_096

type Fields = Readonly<Record<string, unknown>>
type Check = (value: unknown) => boolean

const text: Check = (value) => typeof value === 'string' && value.length <= MOST_TEXT
const whole: Check = (value) => Number.isSafeInteger(value)
const flag: Check = (value) => typeof value === 'boolean'
const list: Check = Array.isArray
const method: Check = (value) => value === 'page' || (typeof value === 'string' && Object.hasOwn(METHODS, value))
const shaped = (checks: Readonly<Record<string, Check>>): Check => (value) =>
  typeof value === 'object' && value !== null && Object.entries(checks).every(([name, check]) => check((value as Fields)[name]))

const progress = shaped({ done: (value) => typeof value === 'number' })
const error = shaped({ code: text, message: (value) => typeof value === 'string', details: shaped({}) })
const outcome: Check = (value) => shaped({ ok: flag })(value) && ((value as Fields)['ok'] === true || error((value as Fields)['error']))
const change = shaped({ kind: text, ids: (value) => Array.isArray(value) && value.every((id) => typeof id === 'string'), slot: whole, writer: text, from: text })

const NOTICES = { hello: shaped({ from: text }), opening: shaped({ term: text }), owner: shaped({ term: text }), change: shaped({ change }) }
const CLIENTS = {
  call: shaped({ term: text, call: whole, method, args: list, inParts: flag, progress: flag, writer: text, readOnly: flag, received: whole }),
  part: shaped({ term: text, call: whole, items: list }),
  abort: shaped({ term: text, call: whole }),
}
const OWNERS = { welcome: shaped({ term: text, open: flag }), answer: shaped({ call: whole, outcome }), progress: shaped({ call: whole, progress }) }

/** Whether a message is of one of these kinds and has its shape. Any script of the origin can post to a channel; what is no message of ours is passed over. */
function isOneOf(kinds: Readonly<Record<string, Check>>, message: unknown): boolean {
  if (typeof message !== 'object' || message === null) return false
  const { kind } = message as Fields
  return typeof kind === 'string' && Object.hasOwn(kinds, kind) && kinds[kind](message)
}

/** Whether this is a message on the channel of all tabs. */
export function isNotice(message: unknown): message is Notice {
  return isOneOf(NOTICES, message)
}

/** Whether this is a message of a tab to the owner. */
export function isFromClient(message: unknown): message is FromClient {
  return isOneOf(CLIENTS, message)
}

/** Whether this is a message of the owner to a tab. */
export function isFromOwner(message: unknown): message is FromOwner {
  return isOneOf(OWNERS, message)
}
