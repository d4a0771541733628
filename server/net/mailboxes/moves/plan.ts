import { isIPv6 } from 'node:net'
import { missing } from '@innkeeper/contract/kit/access'
import { TTL } from '@innkeeper/contract/net/dns/records'
import { eq } from 'drizzle-orm'
import { transferClose, transferFetch, transferOpen } from '../../../hosting/moves/actions.ts'
import type { Db } from '../../../kit/db/db.ts'
import type { Context } from '../../../kit/http/api.ts'
import { outputOf, type PlanStep, secret, step } from '../../../kit/work/action.ts'
import { packagesEnsure } from '../../../machines/servers/actions.ts'
import { servers } from '../../../machines/servers/tables.ts'
import { websiteDns } from '../../dns/sites/actions.ts'
import { answersOf } from '../../dns/sites/ensure.ts'
import { zoneFor } from '../../dns/sites/records.ts'
import { certificateThere } from '../certificates.ts'
import { domainStep, type MailDomain, mailItself, removeStep } from '../steps.ts'
import { mailKeys, type mailMoves } from '../tables.ts'
import { mailFolderPull, mailKeysPack, mailKeysTake, mailQueueFlush, mailTakeOver } from './actions.ts'

export type MailMoveRow = typeof mailMoves.$inferSelect
/** A type other than `mailbox`, so that the outcome of these steps does not change the state of the row. */
const STEPS = 'mailbox-move'
const OPEN_MINUTES = 1440
export const transferKeyOf = (moveId: number) => `mail-move/${moveId}/key`

/**
 * Every step before the take-over can be rolled back. The domain receives mail as usual during the first copy; then
 * mail waits in the queue of the old server during the second copy.
 */
export async function movePlan(
  { db, staff }: Pick<Context, 'db' | 'staff'>,
  row: MailDomain,
  { id, sourceId, targetId }: MailMoveRow,
): Promise<PlanStep[]> {
  const resource = { type: STEPS, id: row.id, name: row.domain }
  const source = { server: sourceId, resource }
  const target = { server: targetId, resource }
  const [from, to] = [await addressOf(db, sourceId), await addressOf(db, targetId)]
  const known = { transfer: `mail-move-${id}`, token: secret(transferKeyOf(id)) }
  const selectors = (await db.select().from(mailKeys).where(eq(mailKeys.mailboxId, row.id))).map((key) => key.selector)
  const file = `mail-move-${id}.keys.gz`
  const keys = { domain: row.domain, selectors, file }
  const open = step(
    transferOpen,
    { ...known, minutes: OPEN_MINUTES, folders: [], mail: [row.id], files: selectors.length ? [file] : [] },
    source,
  )
  const peer = { ...known, address: from, port: outputOf(open, 'port') }
  const pull = (mode: 'seed' | 'delta') => step(mailFolderPull, { ...peer, mailboxId: row.id, mode }, target)
  const pack = selectors.length ? [step(mailKeysPack, keys, source)] : []
  const packages = (on: typeof source) => step(packagesEnsure, { packages: ['rsync'] }, on)
  return [
    ...(await mailItself(db, sourceId, { base: true })),
    ...(await mailItself(db, targetId, { base: true })),
    packages(source),
    packages(target),
    ...pack,
    open,
    ...pack.map((packed) => step(transferFetch, { ...peer, file, sha256: outputOf(packed, 'sha256') }, target)),
    ...(pack.length ? [step(mailKeysTake, keys, target)] : []),
    pull('seed'),
    open, // opened again, because the first copy may outlast the first opening
    await domainStep(db, row.id, { type: STEPS, server: sourceId, moving: { phase: 'held' } }),
    { ...pull('delta'), lane: 'short' },
    step(mailTakeOver, { moveId: id }, { resource }),
    await domainStep(db, row.id, { type: STEPS, server: targetId, relays: [from] }),
    await domainStep(db, row.id, { type: STEPS, server: sourceId, moving: { phase: 'moved', to } }),
    step(mailQueueFlush, { domain: row.domain }, source),
    // from here on the old server passes on everything: a failure keeps nobody waiting, and turns no name
    ...(await certificateThere(db, row.id, targetId)),
    ...(missing(staff, 'dns:record:update').length ? [] : await leading({ db, staff }, row, from, to)),
    // the last step, which deletes the keys on the way
    ...[source, target].map((on) => step(transferClose, { transfer: known.transfer, clear: true }, on)),
  ]
}

async function addressOf(db: Db, serverId: number): Promise<string> {
  const [server] = await db.select({ address: servers.address }).from(servers).where(eq(servers.id, serverId))
  // the check reports this earlier
  if (!server?.address) throw new Error(`the address of server ${serverId} is not known`)
  return server.address
}

export const namesOf = (domain: string) =>
  ['mail', 'autoconfig', 'autodiscover', 'mta-sts'].map((name) => `${name}.${domain}`)

/** Points names in Innkeeper's zones from the old server to the new one; names that point elsewhere stay. */
async function leading(
  { db, staff }: Pick<Context, 'db' | 'staff'>,
  { id, domain }: MailDomain,
  from: string,
  to: string,
): Promise<PlanStep[]> {
  if (!(await zoneFor(db, `mail.${domain}`, staff))) return []
  const there = await answersOf(db, namesOf(domain))
  const ours = there.filter(({ records }) => records.length === 1 && records[0]?.content === from)
  if (!ours.length) return []
  const type = isIPv6(to) ? ('AAAA' as const) : ('A' as const)
  const names = ours.map(({ name }) => ({ name, records: [{ type, content: to, ttl: TTL.usual }] }))
  const was = ours.map(({ name, records }) => ({ name, records: [...records] }))
  return [step(websiteDns, { names, was }, { resource: { type: 'dns-record', id, name: domain } })]
}

/** Clears the old server. Its copy of the mail goes into the trash there. */
export const retirement = (row: MailDomain, move: MailMoveRow, keepDays: number): PlanStep[] => [
  removeStep({ ...row, serverId: move.sourceId }, keepDays, STEPS),
]
