import * as z from 'zod'
import { instant } from '../../kit/endpoint.ts'

/** The IP set of addresses that guess passwords of FTP users: drops their packets to `FTP_PORTS`. */
export const FTP_GUESSERS = 'ftp-guessers'
/** Ports where FTP users sign in. All other ports of the server stay open, such as 25 of a server that also has mail. */
export const FTP_PORTS = [21, 990] as const
/** The IP set of addresses that guess passwords of mailboxes: drops their packets to `MAIL_PORTS`. */
export const MAIL_GUESSERS = 'mail-guessers'
/** Ports where people sign in to mail. Without 25, where other mail servers deliver. */
export const MAIL_PORTS = [110, 143, 465, 587, 993, 995, 4190] as const

/** Addresses that guess passwords of one service. IPv6 addresses count as their /64 network. */
export const guesserFields = {
  /** Addresses with failed sign-ins on this server in the last 24 hours, most attempts first. */
  guessers: z.array(z.object({ address: z.string(), tries: z.int(), lastAt: instant })),
  /** Addresses that are banned from all servers with the service, by the IP set `set`, newest first. */
  set: z.string(),
  banned: z.array(
    z.object({ address: z.string(), reason: z.string().nullable(), at: instant, until: instant.nullable() }),
  ),
}
const Guessers = z.object(guesserFields)
export type Guessers = z.output<typeof Guessers>

/** The mail service of a server. */
export const MailServer = z.object({
  serverId: z.int(),
  serverName: z.string(),
  /** When failed sign-ins were read last; null: never, for instance because the agent is too old. */
  readAt: instant.nullable(),
  ...guesserFields,
})
export type MailServer = z.output<typeof MailServer>
