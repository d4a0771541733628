import * as z from 'zod'
import { domain, username } from '../../kit/values.ts'

/** Values of mail that reach the configuration of Postfix and Dovecot. The agent validates with the same schemas. */

/**
 * The part of an address before `@`. Quoted and international local parts are refused, because many mail servers refuse
 * them; `+` separates an extension, which every mailbox accepts.
 */
export const localPart = z
  .string()
  .trim()
  .toLowerCase()
  .min(1, 'Required')
  .max(64, 'At most 64 characters')
  .refine(
    (text) => !/[^\0-\x7f]/.test(text),
    'Only letters without accents, from a to z: many mail servers still refuse mail to and from others (SMTPUTF8)',
  )
  .refine((text) => !text.includes('+'), 'Without +: mail to name+anything reaches name anyway')
  .refine((text) => !text.includes('@'), 'Only the part before @')
  .refine(
    (text) => /^[a-z0-9](?:[a-z0-9_'-]|\.(?!\.))*$/.test(text) && !/[.-]$/.test(text),
    "Lower-case letters, digits, dots, hyphens, _ and ', a letter or digit first",
  )

/** A full address in lower case. An extension such as `kari+shop@example.org` is allowed. */
export const mailAddress = z
  .string()
  .trim()
  .toLowerCase()
  .max(254, 'At most 254 characters')
  .refine((text) => {
    const [local = '', name = '', ...more] = text.split('@')
    return (
      more.length === 0 &&
      /^[a-z0-9](?:[a-z0-9_+='-]|\.(?!\.)){0,63}$/.test(local) &&
      !/[.-]$/.test(local) &&
      domain.safeParse(name).data === name
    )
  }, 'An address such as name@example.org')

/** Who sends: a mailbox, or the account of a website, whose programs send without signing in. */
export const mailSender = z.union([mailAddress, username])

export const mailStatuses = ['active', 'disabled', 'receive-only'] as const
/** `receive-only`: mail arrives and can be read, but nothing can be sent. */
export const mailStatus = z.enum(mailStatuses)
export type MailStatus = z.output<typeof mailStatus>

/** Largest quota of a mailbox in MiB: 1 TiB. */
export const MOST_QUOTA_MB = 1_048_576
export const MOST_TARGETS = 50
export const MOST_APP_PASSWORDS = 5
/** Mail with this score or a higher one is refused; rspamd writes the score into the mail. */
export const REFUSED_SPAM_SCORE = 15
/** Mail with this score or a higher one goes into Junk, unless a mailbox or its domain has another threshold. */
export const USUAL_SPAM_SCORE = 6

/** Several lines of text without control characters besides line breaks. */
const text = (most: number) =>
  z
    .string()
    .trim()
    .max(most)
    .refine((typed) => !/[^\P{Cc}\n\r\t]/u.test(typed), 'Control characters are not allowed')

/** The answer to people who write while the owner is away. */
export const autoReply = z.object({
  subject: z
    .string()
    .trim()
    .min(1, 'Required')
    .max(200)
    .refine((typed) => !/\p{Cc}/u.test(typed), 'Control characters are not allowed'),
  text: text(4000).min(1, 'Required'),
  /** First and last day, `2026-12-24`; absent: without limit. */
  from: z.iso.date().optional(),
  until: z.iso.date().optional(),
})
export type AutoReply = z.output<typeof autoReply>

/** Selector of a DKIM key: the label before `._domainkey`. */
export const dkimSelector = z.string().regex(/^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/)

/** Id of a queued message, as Postfix writes it. */
export const queueId = z.string().regex(/^[A-Za-z0-9]{6,20}$/, 'The id of a queued message, such as 4XyZ12ABCDz')
