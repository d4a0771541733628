import { connect, type Socket } from 'node:net'
import type { Reach } from './reach.ts'

/** Opens a connection to a host that somebody named, for a protocol other than HTTP. Throws if the host is not allowed. */
export function dial(reach: Reach, host: string, port: number, silenceMs: number): Socket {
  reach.check(host, port)
  return connect({ host, port, lookup: reach.lookup(port), timeout: silenceMs })
}
