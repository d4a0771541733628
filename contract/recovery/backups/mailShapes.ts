import * as z from 'zod'
import { id } from '../../kit/endpoint.ts'

/** A mailbox in a backup. */
export const KeptMailbox = z.object({ userId: z.int(), localPart: z.string(), messages: z.int(), bytes: z.number() })

/** Mail to restore: of each mail domain all mailboxes, or the named ones. */
export const wantedMail = z
  .array(z.object({ mailboxId: id, users: z.array(id).min(1).max(500).optional() }))
  .max(50)
  .refine((all) => new Set(all.map(({ mailboxId }) => mailboxId)).size === all.length, 'Chosen twice')
export type WantedMail = z.output<typeof wantedMail>

/** A mail domain of a backup. `closed`: why its mail cannot be restored now. */
export const MailPreview = z.object({
  id: z.int(),
  domain: z.string(),
  bytes: z.number(),
  /** The mail server on which the domain is now. */
  serverName: z.string().nullable(),
  /** The backup lists its mailboxes, so that single mailboxes can be restored. */
  listed: z.boolean(),
  closed: z.string().nullable(),
  /** Each with the mailbox that receives its mail; null: it was deleted. */
  mailboxes: z.array(
    z.object({ id: z.int(), address: z.string(), messages: z.int(), bytes: z.number(), into: z.int().nullable() }),
  ),
})
