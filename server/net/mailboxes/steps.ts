import type { OperationInput } from '@innkeeper/contract/agent/operations'
import { type MailStatus, USUAL_SPAM_SCORE } from '@innkeeper/contract/net/mailboxes/mail'
import { and, asc, eq, inArray, isNull } from 'drizzle-orm'
import { websites } from '../../hosting/websites/tables.ts'
import type { Db } from '../../kit/db/db.ts'
import { notFound } from '../../kit/http/errors.ts'
import { type PlanStep, secret, step } from '../../kit/work/action.ts'
import { baseOf, planOf } from '../../machines/servers/services.ts'
import { serverStates, servers } from '../../machines/servers/tables.ts'
import { mailDomainEnsure, mailDomainRemove, mailDomainRestore } from './actions.ts'
import { accountOf } from './create.ts'
import { hashesName } from './hashes.ts'
import { aliasesOf } from './read.ts'
import { liveUsers } from './readUsers.ts'
import { mailboxes, mailboxUsers, mailKeys, mailMoves } from './tables.ts'

export type MailDomain = typeof mailboxes.$inferSelect
interface Override {
  suspended?: boolean
  domain?: string
  type?: string
  server?: number
  moving?: OperationInput<'mail-domain.ensure'>['moving']
  relays?: string[]
}
const services = ['postfix', 'dovecot']

/** `type`: a type other than `mailbox` for steps whose outcome does not change the row. */
const on = ({ id, domain, serverId }: Pick<MailDomain, 'id' | 'domain' | 'serverId'>, type = 'mailbox') => ({
  server: serverId,
  resource: { type, id, name: domain },
})

export async function rowOf(db: Db, id: number): Promise<MailDomain> {
  const [found] = await db.select().from(mailboxes).where(eq(mailboxes.id, id))
  if (!found) throw notFound('mail domain', id)
  return found
}

/**
 * Steps that install the mail services of a server, and a web server for the settings of mail programs. If they are
 * installed: none, or with `base` the steps that update their configuration to that of the agent.
 */
export async function mailItself(db: Db, serverId: number, { base = false } = {}): Promise<PlanStep[]> {
  const [found] = await db
    .select({ server: servers, services: serverStates.services })
    .from(servers)
    .leftJoin(serverStates, eq(serverStates.serverId, servers.id))
    .where(eq(servers.id, serverId))
  if (!found) return []
  const runs = (name: string) => found.services?.some((one) => one.name === name && one.state === 'active')
  const web = runs('nginx') || runs('apache') ? [] : [found.server.webServer]
  if ([...services, 'rspamd'].every(runs))
    return [...planOf(found.server, web), ...(base ? baseOf(found.server, services) : [])]
  return planOf(found.server, [...web, ...services])
}

/** Steps that update the configuration of the mail services after an update of the agent; none if they do not run. */
export async function renewalSteps(db: Db, server: { id: number; name: string; type: string }): Promise<PlanStep[]> {
  const [state] = await db.select().from(serverStates).where(eq(serverStates.serverId, server.id))
  const runs = (name: string) => state?.services?.some((one) => one.name === name && one.state === 'active')
  return [...services, 'rspamd'].every(runs) ? baseOf(server, services) : []
}

/**
 * Step that applies the present rows of the mail domain to its server. `suspended` overrides the status of the website,
 * `domain` the name, `server` the server. `moving` and `relays`: for the two servers of a move.
 */
export async function domainStep(
  db: Db,
  id: number,
  { suspended, domain, type, server, moving, relays }: Override = {},
): Promise<PlanStep> {
  const row = await rowOf(db, id)
  const users = await db.select().from(mailboxUsers).where(liveUsers(id)).orderBy(asc(mailboxUsers.id))
  const aliases = await aliasesOf(db, id)
  const [key] = await db
    .select({ selector: mailKeys.selector })
    .from(mailKeys)
    .where(and(eq(mailKeys.mailboxId, id), eq(mailKeys.signs, true)))
  const account = row.websiteId && (await accountOf(db, row.websiteId))
  const passers = relays ?? (moving ? [] : await passersOf(db, id))
  const state: MailStatus = (suspended ?? (await isSuspended(db, row))) ? 'disabled' : row.status
  return step(
    mailDomainEnsure,
    {
      mailboxId: id,
      domain: domain ?? row.domain,
      state,
      ...(row.catchAll && { catchAll: row.catchAll }),
      users: users.map((user) => ({
        userId: user.id,
        localPart: user.localPart,
        quotaMb: user.quotaMb,
        state: user.status,
        ...(user.forwards.length && { forwards: user.forwards, keepCopy: user.keepCopy }),
        ...(user.autoReply && { autoReply: user.autoReply }),
        ...(user.hourlyLimit && { hourlyLimit: user.hourlyLimit }),
        ...spamOf(user.spamScore ?? row.spamScore),
      })),
      aliases: aliases.map(({ localPart, targets }) => ({ localPart, targets })),
      ...(account && { accountId: account }),
      ...(row.hourlyLimit && { accountLimit: row.hourlyLimit }),
      ...(moving && { moving }),
      ...(passers.length && { relays: passers }),
      passwords: secret(hashesName(id)),
      ...(key && { selector: key.selector }),
    },
    on({ ...row, serverId: server ?? row.serverId }, type),
  )
}

/** The step of a new mail domain without mailboxes, for a preview. */
export const plannedDomain = (made: Pick<MailDomain, 'id' | 'domain' | 'serverId'>): PlanStep =>
  step(
    mailDomainEnsure,
    {
      ...{ mailboxId: made.id, domain: made.domain, state: 'active', users: [], aliases: [] },
      passwords: secret(hashesName(made.id)),
    },
    on(made),
  )

/** Addresses of former servers that still forward mail, which they have already filtered. */
const passersOf = async (db: Db, id: number): Promise<string[]> =>
  (
    await db
      .select({ address: servers.address })
      .from(mailMoves)
      .innerJoin(servers, eq(servers.id, mailMoves.sourceId))
      .where(and(eq(mailMoves.mailboxId, id), inArray(mailMoves.state, ['passing', 'retiring'])))
  ).flatMap(({ address }) => address ?? [])

const spamOf = (score: number | null) => (score === null || score === USUAL_SPAM_SCORE ? {} : { spamScore: score })

async function isSuspended(db: Db, { websiteId }: MailDomain): Promise<boolean> {
  if (websiteId === null) return false
  const [found] = await db.select({ status: websites.status }).from(websites).where(eq(websites.id, websiteId))
  return found?.status === 'suspended'
}

export const removeStep = (row: MailDomain, keepDays: number, type?: string): PlanStep =>
  step(mailDomainRemove, { mailboxId: row.id, domain: row.domain, keepDays }, on(row, type))
export const restoreSteps = (row: MailDomain, taken: number[]): PlanStep[] =>
  taken.length ? [step(mailDomainRestore, { mailboxId: row.id, domain: row.domain, taken }, on(row))] : []

/** Mail domains of a website that are not deleted. */
export const domainsOf = (db: Db, websiteId: number): Promise<MailDomain[]> =>
  db
    .select()
    .from(mailboxes)
    .where(and(eq(mailboxes.websiteId, websiteId), isNull(mailboxes.deletedAt)))
    .orderBy(mailboxes.id)
