import { type Endpoint, transfer, wrap } from 'comlink'
import type { ScanHost } from './port.js'

/** The host at the other end of a port. What is loaded is handed over, not copied. */
export function scanThreadAt(port: Endpoint): ScanHost {
  const remote = wrap<ScanHost>(port)
  return {
    open: (kernel) => remote.open(kernel),
    set: (loads) =>
      remote.set(
        transfer(
          loads,
          loads.flatMap(({ slots, signatures }) => [slots.buffer, signatures.buffer]),
        ),
      ),
    clear: (slots) => remote.clear(slots),
    scan: (asked, k, allow) => remote.scan(asked, k, allow),
  }
}
