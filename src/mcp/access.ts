import { sha256 } from '@noble/hashes/sha2.js'
import { encodeUtf8 } from '../base/utf8.js'

/** Who may ask a server over HTTP. */
export interface Access {
  /** The bearer token that every request has to bring. */
  readonly token: string
  /** Host names, without a port, that a request may be sent to. An IPv6 address stands in brackets. */
  readonly hosts: readonly string[]
  /** Origins of pages that may send requests, beside the server's own. A request without an origin is of no page. */
  readonly origins: readonly string[]
}

/** Why a request is refused. */
export interface Refusal {
  readonly status: 401 | 403
  readonly message: string
}

/**
 * Why a request is refused, or `undefined`. The host comes first: the name of a DNS rebinding page is the name that the
 * page was loaded from, which is not among the hosts. Then the origin, which a page cannot choose. Then the token.
 */
export function refusalOf({ url, headers }: Request, { token, hosts, origins }: Access): Refusal | undefined {
  const own = new URL(url)
  if (!hosts.includes(own.hostname))
    return { status: 403, message: 'the host of the request is not one of this server' }
  const origin = headers.get('origin')
  if (origin !== null && origin !== own.origin && !origins.includes(origin))
    return { status: 403, message: 'the origin of the request may not use this server' }
  const given = /^Bearer +([^\s]+)$/i.exec(headers.get('authorization') ?? '')?.[1]
  if (given === undefined) return { status: 401, message: 'the header Authorization: Bearer <token> is missing' }
  return isSame(given, token) ? undefined : { status: 401, message: 'the token is not the one of this server' }
}

/** Compares secrets in a time that does not depend on where they differ. */
function isSame(left: string, right: string): boolean {
  const [a, b] = [sha256(encodeUtf8(left)), sha256(encodeUtf8(right))]
  return a.reduce((difference, byte, i) => difference | (byte ^ b[i]!), 0) === 0
}
