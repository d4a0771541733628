import { domain as domainSchema } from '@innkeeper/contract/kit/values'
import {
  type AutoReply,
  dkimSelector,
  localPart,
  MOST_QUOTA_MB,
  MOST_TARGETS,
  mailAddress,
} from '@innkeeper/contract/net/mailboxes/mail'
import type { FoundMailDomain, HashForm, Inventory } from '@innkeeper/contract/recovery/archiveImports/inventory'
import type { PlanLine } from '@innkeeper/contract/recovery/archiveImports/shapes'
import { wwwOf } from '../../../hosting/websites/names.ts'
import { sized } from '../../../kit/app/sized.ts'
import type { Db } from '../../../kit/db/db.ts'
import { Refusal } from '../../../kit/http/errors.ts'
import { checkDomain, refuseStrangers } from '../../../net/mailboxes/create.ts'
import type { Target } from './target.ts'
import type { DrawnWebsite } from './websites.ts'
import { counted, whyNew } from './words.ts'

interface DrawnMailbox {
  localPart: string
  quotaMb: number
  /** Whether the password of the archive is carried. */
  hashed: boolean
  forwards: string[]
  keepCopy: boolean
  autoReply: AutoReply | null
  suspended: boolean
}
export interface DrawnMail {
  from: string
  domain: string
  /** The website to which the mail domain belongs; absent: to none. */
  website: DrawnWebsite | undefined
  catchAll: string | null
  suspended: boolean
  /** The selector of the DKIM key that comes along. */
  selector: string | undefined
  mailboxes: DrawnMailbox[]
  aliases: { localPart: string; targets: string[] }[]
}

/** Quota in place of none: Innkeeper limits each mailbox. */
const UNLIMITED_MB = 10_240
const taken: readonly HashForm[] = ['md5-crypt', 'sha256-crypt', 'sha512-crypt', 'yescrypt', 'bcrypt', 'argon2']

/** What becomes of the mail domains. */
export async function drawMail(
  db: Db,
  inventory: Inventory,
  target: Target,
  websites: readonly DrawnWebsite[],
  left: ReadonlySet<string>,
): Promise<{ made: DrawnMail[]; lines: PlanLine[] }> {
  const made: DrawnMail[] = []
  const lines: PlanLine[] = []
  for (const found of inventory.mail) {
    const key = `mail:${found.domain}`
    const messages = found.mailboxes.reduce((all, one) => all + one.messages, 0)
    const bytes = found.mailboxes.reduce((all, one) => all + one.bytes, 0)
    const detail = `${counted(found.mailboxes.length, 'mailbox').replace(/xs$/, 'xes')}, ${counted(messages, 'message')}, ${sized(bytes)}`
    const read = domainSchema.safeParse(found.domain)
    const why = await whyNot(db, found, read.data, made, target)
    if (why || !read.success || left.has(key)) {
      lines.push({
        key,
        kind: 'mail',
        name: found.domain,
        verdict: 'left out',
        detail,
        notes: [why ?? 'You leave it out'],
        choice: !why,
      })
      continue
    }
    const notes: string[] = []
    const domain = read.data
    const website = websites.find((site) =>
      namesOf(site).some((name) => name === domain || name.endsWith(`.${domain}`)),
    )
    const mailboxes = mailboxesOf(found, domain, notes)
    const aliases = aliasesOf(found, domain, mailboxes, notes)
    const exists = (address: string) => {
      const [local = '', of] = address.split('@')
      return (
        of !== domain ||
        mailboxes.some((one) => one.localPart === local) ||
        aliases.some((one) => one.localPart === local)
      )
    }
    const catchAll = catchAllOf(found, exists, notes)
    const missing = [
      ...mailboxes.flatMap(({ forwards }) => forwards),
      ...aliases.flatMap(({ targets }) => targets),
    ].filter((address) => !exists(address))
    if (missing.length)
      notes.push(
        `Forwards to mailboxes that the archive does not have are left out: ${[...new Set(missing)].slice(0, 20).join(', ')}`,
      )
    for (const one of mailboxes) {
      one.forwards = one.forwards.filter(exists)
      one.keepCopy ||= !one.forwards.length // mail that goes nowhere stays here
    }
    for (const one of aliases) one.targets = one.targets.filter(exists)
    const selector = dkimSelector.safeParse(found.dkimSelector).data
    if (found.dkim && selector === undefined)
      notes.push('A new DKIM key signs its mail: publish the record that the page of the mail domain shows')
    if (!website) notes.push('It belongs to no website of the archive')
    for (const [reason, count] of Object.entries(found.refused)) notes.push(`${counted(count, 'member')}: ${reason}`)
    made.push({
      ...{
        from: found.domain,
        domain,
        website,
        catchAll,
        mailboxes,
        ...{ suspended: found.suspended || inventory.account.suspended, selector },
      },
      aliases: aliases.filter(({ targets }) => targets.length),
    })
    lines.push({
      key,
      kind: 'mail',
      name: domain,
      verdict: notes.length ? 'changed' : 'carried',
      detail: `${detail}, ${counted(aliases.length, 'alias').replace(/ss$/, 'ses')}${selector ? `, DKIM key ${selector}` : ''}`,
      notes,
      choice: true,
    })
  }
  return { made, lines }
}

const namesOf = ({ domain, aliases }: DrawnWebsite) => [domain, ...aliases].flatMap((name) => [name, ...wwwOf(name)])

async function whyNot(
  db: Db,
  found: FoundMailDomain,
  domain: string | undefined,
  made: readonly DrawnMail[],
  { server, mail, ownerId }: Target,
) {
  if (!mail) return `${server.name} is no mail server`
  if (domain === undefined) return 'Its name is no domain name'
  if (found.fault) return `Its mail cannot be read: ${found.fault}`
  if (made.some((one) => one.domain === domain)) return 'The archive has this name twice'
  try {
    await refuseStrangers(db, domain, ownerId ?? null)
    await checkDomain(db, domain)
    return undefined
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
}

function mailboxesOf(found: FoundMailDomain, domain: string, notes: string[]): DrawnMailbox[] {
  const made: DrawnMailbox[] = []
  for (const one of found.mailboxes) {
    const read = localPart.safeParse(one.name)
    if (!read.success || made.some((other) => other.localPart === read.data)) {
      notes.push(
        `The mailbox ${one.name} is left out: ${read.success ? 'it comes twice' : 'Innkeeper does not take this name'}`,
      )
      continue
    }
    const hashed = taken.includes(one.hash)
    if (!hashed)
      notes.push(`${one.name}@${domain} gets a new password, which a one-use link shows: ${whyNew(one.hash)}`)
    if (one.quotaMb === null)
      notes.push(`${one.name}: at most ${Math.max(UNLIMITED_MB, mbOf(one.bytes))} MB instead of no limit`)
    const forwards = addresses(one.forwards, `${one.name}: forwarding`, notes)
    made.push({
      ...{
        localPart: read.data,
        hashed,
        forwards,
        keepCopy: one.keepCopy || !forwards.length,
        suspended: one.suspended,
      },
      quotaMb: Math.min(
        MOST_QUOTA_MB,
        Math.max(1, mbOf(one.bytes), one.quotaMb === null ? UNLIMITED_MB : Math.ceil(one.quotaMb)),
      ),
      autoReply:
        one.autoReply?.trim() && one.keepCopy
          ? {
              subject: 'Automatic reply',
              text: one.autoReply
                .trim()
                .replace(/[^\P{Cc}\n\t]/gu, '')
                .slice(0, 4000),
            }
          : null,
    })
  }
  return made
}

const mbOf = (bytes: number) => Math.ceil(bytes / 1_048_576)

function addresses(found: readonly string[], what: string, notes: string[]): string[] {
  const good: string[] = []
  for (const text of found) {
    const read = mailAddress.safeParse(text)
    if (read.success && good.length < MOST_TARGETS) good.push(read.data)
    else notes.push(`${what} to ${text.slice(0, 100)} is left out: ${read.success ? 'too many' : 'it is no address'}`)
  }
  return [...new Set(good)]
}

function aliasesOf(found: FoundMailDomain, domain: string, mailboxes: readonly DrawnMailbox[], notes: string[]) {
  const made = new Map<string, string[]>()
  for (const { name, targets } of found.aliases) {
    const read = localPart.safeParse(name)
    if (!read.success) notes.push(`The alias ${name.slice(0, 100)} is left out: Innkeeper does not take this name`)
    else if (mailboxes.some((one) => one.localPart === read.data))
      notes.push(`The alias ${read.data} is left out: it is a mailbox`)
    else
      made.set(
        read.data,
        [...new Set([...(made.get(read.data) ?? []), ...addresses(targets, `The alias ${name}`, notes)])].filter(
          (to) => to !== `${read.data}@${domain}`,
        ),
      )
  }
  return [...made].map(([local, targets]) => ({ localPart: local, targets: targets.slice(0, MOST_TARGETS) }))
}

function catchAllOf(found: FoundMailDomain, exists: (address: string) => boolean, notes: string[]): string | null {
  if (!found.catchAll) return null
  const read = mailAddress.safeParse(found.catchAll)
  if (read.success && exists(read.data)) return read.data
  notes.push(`The catch-all ${found.catchAll.slice(0, 100)} is left out: it is no address that exists`)
  return null
}
