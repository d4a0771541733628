import { readdir, stat, utimes } from 'node:fs/promises'
import { isIPv6 } from 'node:net'
import { mailHashes } from '@innkeeper/contract/agent/mailboxes'
import type { OperationInput } from '@innkeeper/contract/agent/operations'
import { REPORTS_TO } from '@innkeeper/contract/net/mailboxes/reports'
import { absent, ensureDirectory, type Owner, places, read, remove, replace } from '../../kit/host.ts'
import { groupId } from '../accounts/systemAccounts.ts'

export const mailHome = '/var/vmail'
export const dovecotFolder = '/etc/dovecot/innkeeper'
/** Dovecot tries one file after the other: the password of the mailbox, then those of applications. */
export const passwordFolders = ['passwords', 'app1', 'app2', 'app3', 'app4', 'app5'] as const
/** Which certificate each mail host has. */
export const hostCertificates = `${dovecotFolder}/certificates.conf`
export const sieveFolder = `${dovecotFolder}/sieve`

/** A mail domain as this server has it: the last operation, with the password hashes. */
export type MailDomain = Omit<OperationInput<'mail-domain.ensure'>, 'passwords'> & {
  hashes: Record<string, Record<string, string>>
}
type MailUser = MailDomain['users'][number]

/** The mail domains of this server, a file each. All maps of Postfix and files of Dovecot are written from these. */
export const domainsFolder = `${places.state}/mail`
export const domainFile = (mailboxId: number) => `${domainsFolder}/${mailboxId}.json`
export const userHome = (mailboxId: number, userId: number) => `${mailHome}/${mailboxId}/${userId}`

export async function readDomain(mailboxId: number): Promise<MailDomain | undefined> {
  const text = await read(domainFile(mailboxId))
  return text === undefined ? undefined : (JSON.parse(text) as MailDomain) // our own file
}
export async function readDomains(): Promise<MailDomain[]> {
  const names = (await readdir(domainsFolder).catch(absent)) ?? []
  const all = await Promise.all(
    names
      .filter((name) => /^\d+\.json$/.test(name))
      .sort()
      .map((name) => readDomain(Number.parseInt(name, 10))),
  )
  return all.flatMap((one) => one ?? [])
}

/** The text of a domain's file. If the operation contains no hashes, the stored hashes stay. */
export function textOf(input: OperationInput<'mail-domain.ensure'>, before: MailDomain | undefined): string {
  const { passwords, ...rest } = input
  const hashes = passwords === undefined ? (before?.hashes ?? {}) : mailHashes.parse(JSON.parse(passwords))
  return JSON.stringify({ ...rest, hashes } satisfies MailDomain)
}

const mayWork = (domain: MailDomain, user: MailUser) =>
  domain.state !== 'disabled' && user.state !== 'disabled' && !domain.moving
const oneLine = (fields: readonly string[]) => `${fields.join(':')}\n`

/** Dovecot escapes the quotes of a name before it looks for the line. */
const keyOf = ({ localPart }: MailUser) => localPart.replaceAll("'", "\\'")

/** The users of a domain for delivery and quotas, without disabled mailboxes. */
const usersText = (domain: MailDomain) =>
  domain.users
    .filter((user) => mayWork(domain, user))
    .map((user) => {
      const extra = [
        `userdb_quota_rule=*:bytes=${user.quotaMb * 1_048_576}`,
        ...(user.spamScore ? [`userdb_sieve_before=${thresholdFile(user.spamScore)}`] : []),
        ...(user.autoReply ? [`userdb_sieve_before2=${replyFile(user.userId)}`] : []),
      ]
      return oneLine([keyOf(user), '', '', '', '', userHome(domain.mailboxId, user.userId), '', extra.join(' ')])
    })
    .join('')

/** The passwd-file lines of the mailboxes that have an nth password. */
const passwordsText = (domain: MailDomain, n: number) =>
  domain.users
    .filter((user) => mayWork(domain, user))
    .flatMap((user) => {
      const all = Object.entries(domain.hashes[user.userId] ?? {})
      // 0 is the mailbox's own password, other keys are ids of application passwords
      const own = all.find(([key]) => key === '0')?.[1]
      const apps = all
        .filter(([key]) => key !== '0')
        .sort(([a], [b]) => Number(a) - Number(b))
        .map(([, hash]) => hash)
      const hash = n === 0 ? own : apps[n - 1]
      return hash ? [oneLine([keyOf(user), hash, '', '', '', '', '', ''])] : []
    })
    .join('')

/** The script of mailboxes with a spam threshold of their own. */
export const thresholdFile = (score: number) => `${sieveFolder}/junk-${score}.sieve`
export const replyFile = (userId: number) => `${sieveFolder}/reply-${userId}.sieve`

/** Writes the files of Dovecot. Files of domains that this server no longer has are removed. */
export async function writeDovecot(all: readonly MailDomain[]): Promise<void> {
  const owner = { uid: 0, gid: await groupId('dovecot') }
  await ensureDirectory(dovecotFolder, { mode: 0o750, owner })
  await replaceLater(movedFile, movedText(all), owner)
  const folders = ['users', ...passwordFolders]
  for (const folder of folders) {
    await ensureDirectory(`${dovecotFolder}/${folder}`, { mode: 0o750, owner })
    const wanted = new Set(all.map(({ domain }) => domain))
    for (const name of await readdir(`${dovecotFolder}/${folder}`))
      if (!wanted.has(name)) await remove(`${dovecotFolder}/${folder}/${name}`)
    for (const domain of all) {
      const n = (passwordFolders as readonly string[]).indexOf(folder)
      await replaceLater(
        `${dovecotFolder}/${folder}/${domain.domain}`,
        n < 0 ? usersText(domain) : passwordsText(domain, n),
        owner,
      )
    }
  }
}

/**
 * Dovecot reads a file again when its time in seconds or its size differ: a second change in one second gets a later
 * time.
 */
async function replaceLater(file: string, text: string, owner: Owner): Promise<void> {
  const before = await stat(file).catch(absent)
  if (!(await replace(file, text, { mode: 0o640, owner }))) return
  const seconds = Math.floor(Date.now() / 1000)
  const last = before ? Math.floor(before.mtimeMs / 1000) : 0
  if (last >= seconds) await utimes(file, seconds, last + 1)
}

/** Takes reports of other mail servers. */
export const reportTransport = 'innkeeper-report'

/** Postfix accepts mail for this transport but does not deliver it; for `retry:`, Postfix would not accept it. */
export const heldTransport = 'innkeeper-held'

/**
 * Mail for a domain that moves or has moved. This server does not rewrite its addresses: the new server does, and mail
 * to a forwarding address would be sent twice.
 */
function pass(domain: MailDomain, lines: Record<'relays' | 'transports' | 'relayed' | 'recipients', string[]>): void {
  const { domain: name, users, aliases, moving, catchAll } = domain
  lines.relays.push(`${name} OK`)
  if (moving?.phase === 'moved') {
    lines.transports.push(`${name} smtp:[${isIPv6(moving.to) ? `IPv6:${moving.to}` : moving.to}]:25`)
    lines.relayed.push(`@${name} OK`)
    lines.recipients.push(`${name} reject_unverified_recipient`)
    return
  }
  lines.transports.push(`${name} ${heldTransport}:`)
  if (domain.state === 'disabled') lines.recipients.push(`${name} 550 5.2.1 Mail for this domain is disabled`)
  for (const { localPart, state } of users) {
    lines.relayed.push(`${localPart}@${name} OK`)
    if (state === 'disabled') lines.recipients.push(`${localPart}@${name} 550 5.2.1 This mailbox is disabled`)
  }
  for (const { localPart } of aliases) lines.relayed.push(`${localPart}@${name} OK`)
  if (catchAll) lines.relayed.push(`@${name} OK`)
}

/**
 * Entries for sign-ins to moving domains: during the hold Dovecot refuses them, afterwards it passes them on to the new
 * server, which checks the password. The entries admit every password, so there are none for Postfix.
 */
export const movedFile = `${dovecotFolder}/moved`
/**
 * Nothing listens there, so Dovecot answers `[UNAVAILABLE]` and `[SYS/TEMP]`: try again. `nologin` would answer
 * `[CONTACTADMIN]` and `[AUTH]`, at which mail programs ask people for another password.
 */
const nowhere = 'proxy=y host=127.0.0.1 port=1'
/** Always empty. Dovecot reads the file last, so its message about the file means that the sign-in has failed. */
export const nobodyFile = `${dovecotFolder}/nobody`
export const movedText = (all: readonly MailDomain[]) =>
  all
    .flatMap(({ domain, moving }) => {
      if (!moving) return []
      const where = moving.phase === 'held' ? nowhere : `proxy=y host=${moving.to} starttls=any-cert`
      return ['imap', 'pop3'].map((service) =>
        oneLine([`${service}/${domain}`, '', '', '', '', '', '', `nopassword=y ${where}`]),
      )
    })
    .join('')

/** The maps of Postfix. */
export function postfixMaps(all: readonly MailDomain[]): Record<(typeof mapNames)[number], string> {
  const lines: Record<(typeof mapNames)[number], string[]> = {
    ...{ domains: [], mailboxes: [], aliases: [], recipients: [], senders: [], logins: [], limits: [] },
    ...{ relays: [], transports: [], relayed: [], shifting: [] },
  }
  // other servers have no reason to write there, where a forward of an account would take on any sender
  lines.recipients.push('localhost permit_mynetworks, reject')
  for (const domain of all) {
    const { domain: name, users, aliases } = domain
    const at = (local: string) => `${local}@${name}`
    const account = domain.accountId ? `account-${domain.accountId}` : `domain-${domain.mailboxId}`
    if (domain.moving) {
      pass(domain, lines)
      continue
    }
    lines.domains.push(`${name} OK`)
    if (domain.state === 'disabled') {
      lines.recipients.push(`${name} 550 5.2.1 Mail for this domain is disabled`)
      continue
    }
    for (const user of users) {
      const address = at(user.localPart)
      // also without forwards: a catch-all would take the mail of a mailbox that has no line of its own
      if (user.state === 'disabled') {
        lines.aliases.push(`${address} ${address}`)
        lines.recipients.push(`${address} 550 5.2.1 This mailbox is disabled`)
        continue
      }
      lines.mailboxes.push(`${address} OK`)
      const forwards = user.forwards ?? []
      lines.aliases.push(
        `${address} ${[...(user.keepCopy !== false || !forwards.length ? [address] : []), ...forwards].join(', ')}`,
      )
      lines.logins.push(`${address} ${address}`)
      lines.limits.push(`${address} ${user.hourlyLimit ?? '-'} ${account} ${domain.accountLimit ?? '-'}`)
      if (user.state === 'receive-only' || domain.state === 'receive-only')
        lines.senders.push(`${address} 550 5.7.1 This mailbox only receives mail`)
    }
    for (const { localPart, targets } of aliases) {
      lines.aliases.push(`${at(localPart)} ${targets.join(', ')}`)
      // a mailbox that receives the mail of an alias may send from the alias
      const own = targets.filter((target) => users.some((user) => at(user.localPart) === target))
      if (own.length) lines.logins.push(`${at(localPart)} ${own.join(', ')}`)
    }
    if (![...users, ...aliases].some(({ localPart }) => localPart === REPORTS_TO)) {
      // a line of its own: a catch-all would take the reports
      lines.mailboxes.push(`${at(REPORTS_TO)} OK`)
      lines.aliases.push(`${at(REPORTS_TO)} ${at(REPORTS_TO)}`)
      lines.transports.push(`${at(REPORTS_TO)} ${reportTransport}:`)
    }
    if (domain.catchAll) lines.aliases.push(`@${name} ${domain.catchAll}`)
  }
  lines.transports.push(...forwardedTo(all).map((address) => `${address} ${forwardTransport}:`))
  return Object.fromEntries(mapNames.map((name) => [name, lines[name].map((one) => `${one}\n`).join('')])) as Record<
    (typeof mapNames)[number],
    string
  > // one text for each name
}

/** Marks a forward and gives it a sender of the domain that forwards, or ends its loop. */
const forwardTransport = 'innkeeper-forward'

/**
 * Addresses outside to which mail is forwarded. What leaves for them passes our program whoever sent it: mail of a
 * mailbox of this server may come back, too. The program hands on at once what was no forward.
 */
function forwardedTo(all: readonly MailDomain[]): string[] {
  const here = new Set(all.map(({ domain }) => domain))
  const leading = all
    .filter(({ moving, state }) => !moving && state !== 'disabled')
    .flatMap(({ users, aliases, catchAll }) => [
      ...users.flatMap(({ forwards = [] }) => forwards),
      ...aliases.flatMap(({ targets }) => targets),
      ...(catchAll ? [catchAll] : []),
    ])
  return [...new Set(leading)].filter((address) => !here.has(address.slice(address.lastIndexOf('@') + 1)))
}

/** What Postfix looks up for mail without a sender. */
export const NO_SENDER = 'innkeeper-no-sender'

/**
 * Patterns of senders, for recipients to whom no forward leads: mail of our domains leaves as it is, other mail that leaves
 * is forwarded. The first match counts. Mail whose sender a forward of ours made has come back in a loop. Automatic answers and
 * bounces have no sender, and may go in a loop, too.
 */
export const strangersText = (all: readonly MailDomain[]) =>
  [
    `/^SRS[01][=+-].*@/ ${forwardTransport}:\n`,
    `/^${NO_SENDER}$/ ${forwardTransport}:\n`,
    ...all.map(({ domain }) => `/@${domain.replaceAll('.', '\\.')}$/ DUNNO\n`),
    `/@/ ${forwardTransport}:\n`,
  ].join('')
export const mapNames = [
  /** Domains for which Postfix defers mail while the other maps are written. Otherwise empty. */
  'shifting',
  'domains',
  'mailboxes',
  'aliases',
  'recipients',
  'senders',
  'logins',
  'limits',
  'relays',
  'transports',
  'relayed',
] as const
