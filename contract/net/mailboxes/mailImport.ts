import * as z from 'zod'
import { address, domain } from '../../kit/values.ts'

/** Text that Dovecot reads from a line of its settings. */
const oneLine = (most: number) =>
  z
    .string()
    .min(1, 'Required')
    .max(most)
    .refine((typed) => !/[^\P{Cc}]/u.test(typed), 'Control characters are not allowed')

/** Where the mail of a mailbox is until now: an IMAP server with TLS from the first byte. */
export const mailSource = {
  host: z.union([address, domain], 'A name such as imap.example.org, or an address'),
  port: z.int().min(1).max(65_535),
  login: oneLine(254),
}
export const sourcePassword = oneLine(200)

export const typedFingerprint = z
  .string()
  .trim()
  .toLowerCase()
  .transform((typed) => typed.replaceAll(':', ''))
  .pipe(z.string().regex(/^[0-9a-f]{64}$/, 'The SHA-256 fingerprint: 64 digits and letters a to f'))
