import { sha256 } from '@noble/hashes/sha2.js'
import { invalid } from '../api/check.js'
import { encodeUtf8 } from '../base/utf8.js'

/** Who may ask a server over HTTP, as {@link accessOf} checks it. */
export interface Access {
  /** The bearer token that every request has to bring. */
  readonly token: string
  /** Host names, without a port, that a request may be sent to. An IPv6 address stands in brackets. */
  readonly hosts: readonly string[]
  /** Origins of pages that may send requests, beside the server's own. A request without an origin is of no page. */
  readonly origins: readonly string[]
}

/**
 * Who may ask a server, with hosts and origins in the form in which requests have them: in lower case, origins without
 * a slash at the end and without the usual port.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT` for what no request can have
 */
export function accessOf({ token, hosts, origins }: Access): Access {
  return { token, hosts: each('hosts', hosts, hostOf), origins: each('origins', origins, originOf) }
}

function each(what: string, list: unknown, formOf: (one: string) => string | undefined): string[] {
  if (!Array.isArray(list) || list.some((one) => typeof one !== 'string'))
    throw invalid(`${what} must be an array of strings`, { what })
  return list.map((one: string, i) => {
    const form = formOf(one)
    if (form !== undefined) return form
    const expected =
      what === 'hosts' ? 'a host without a port, such as memory.example or [::1]' : 'an origin: https://app.example'
    throw invalid(`${what}[${i}] is ${JSON.stringify(one)}; expected ${expected}`, { what })
  })
}

function hostOf(name: string): string | undefined {
  const url = /^([^\s/?#@\\:*]+|\[[\da-f:.]+\])$/i.test(name) ? urlOf(`http://${name}`) : undefined
  return url?.hostname
}

function originOf(origin: string): string | undefined {
  // What a page in a sandbox sends.
  if (origin === 'null') return origin
  const url = /^[a-z][a-z\d+.-]*:\/\/[^\s/?#@\\*]+\/?$/i.test(origin) ? urlOf(origin) : undefined
  // Of schemes such as that of browser extensions, the origin of a URL is "null", which any page in a sandbox has, too.
  return url?.origin === 'null' ? `${url.protocol}//${url.host.toLowerCase()}` : url?.origin
}

function urlOf(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
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
