import * as z from 'zod'
import { id, instant, version } from '../../kit/endpoint.ts'
import { mailSource, sourcePassword, typedFingerprint } from '../../net/mailboxes/mailImport.ts'

/** A mailbox whose mail at the former server is fetched each hour until a date. */
const LateMailBox = z.object({
  userId: z.int(),
  address: z.string(),
  login: z.string(),
  /** Null: nothing was fetched yet. */
  fetchedAt: instant.nullable(),
  /** Messages that came in all fetches. */
  added: z.int(),
  /** Why the last fetch failed. */
  problem: z.string().nullable(),
  /** Null: goes on. */
  endedAt: instant.nullable(),
})
export const LateMail = z.object({
  host: z.string(),
  until: instant,
  boxes: z.array(LateMailBox),
})
export type LateMail = z.output<typeof LateMail>

/** What stands for the address of each mailbox in a login. */
export const ADDRESS_IN_LOGIN = '%u'
export const MOST_LATE_DAYS = 90

export const lateMailBody = {
  version,
  host: mailSource.host,
  port: mailSource.port.default(993),
  /** `%u` stands for the address: `%u*master` signs in as a master user of Dovecot. */
  login: mailSource.login.default(ADDRESS_IN_LOGIN),
  /** One password for all mailboxes, as a master user has it. */
  password: sourcePassword.optional(),
  /** Or a line for each mailbox: `info@shop.example;its password`. */
  passwords: z.string().trim().max(500_000).optional(),
  /** Of a certificate that nobody signed. */
  fingerprint: typedFingerprint.optional(),
  /** At most 90 days from now. The last fetch is at this time. */
  until: instant,
  /** Mailboxes; absent: all of the import that the archive has. */
  mailboxIds: z.array(id).max(5000).optional(),
}
