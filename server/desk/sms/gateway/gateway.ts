import type { Reach } from '../../../kit/outgoing/reach.ts'
import type { Settings } from '../settings.ts'

export interface Outgoing {
  id: number
  key: string
  number: string
  body: string
  encoding: 'GSM-7' | 'UCS-2'
  segments: number
}

/** Settings with the stored password and the address for the delivery report of a message. */
export interface Line extends Pick<Settings, 'url' | 'username' | 'sender'> {
  secret: string
  reach: Reach
  /** `status`: the value that the gateway fills in, in its own notation. */
  reportUrl(id: number, status: string): string
}

export type Outcome =
  | { kind: 'accepted'; providerId: string | null }
  | { kind: 'refused'; code: string; reason: string }
  /** The gateway has not accepted the message, which is sent again later. */
  | { kind: 'later'; reason: string }
  /** The gateway refuses our account or address, so that it would refuse every message: all of them wait. */
  | { kind: 'account'; reason: string }
  /** The gateway may have accepted the message. */
  | { kind: 'unknown'; reason: string }

export interface Gateway {
  /** True: the gateway sends only one message per key, however often the message is submitted. */
  knowsKeys: boolean
  handOver(line: Line, message: Outgoing): Promise<Outcome>
}
