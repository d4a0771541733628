import type { AutoReply } from '@innkeeper/contract/net/mailboxes/mail'
import { eq, inArray } from 'drizzle-orm'
import type { App } from '../../kit/app/app.ts'
import type { Db } from '../../kit/db/db.ts'
import { insertMany } from '../../kit/db/insertMany.ts'
import type { PlanStep } from '../../kit/work/action.ts'
import { checkDomain, refuseStrangers, withinPlanOf } from './create.ts'
import { hashesName } from './hashes.ts'
import { FIRST_SELECTOR, keyStep } from './keys.ts'
import { domainStep, mailItself } from './steps.ts'
import { mailAliases, mailboxes, mailboxUsers, mailKeys } from './tables.ts'

/** A mail domain that arrives with its mailboxes. */
export interface Arriving {
  domain: string
  websiteId: number | null
  ownerId: number
  serverId: number
  catchAll: string | null
  suspended: boolean
  /** The DKIM key of the former server: its selector, and the secret that an earlier step writes. */
  key?: { selector: string; secret: string } | undefined
  mailboxes: {
    localPart: string
    quotaMb: number
    forwards: string[]
    keepCopy: boolean
    autoReply: AutoReply | null
    suspended: boolean
  }[]
  aliases: { localPart: string; targets: string[] }[]
}
export interface Arrived {
  id: number
  users: { userId: number; localPart: string; address: string }[]
  steps: PlanStep[]
}

/** Inserts the rows of a mail domain, and answers the steps that create it. Hashes come into its secret later. */
export async function arrive(app: App, db: Db, wanted: Arriving, by: number): Promise<Arrived> {
  const { domain, websiteId, serverId, catchAll } = wanted
  await refuseStrangers(db, domain, wanted.ownerId)
  await checkDomain(db, domain)
  const reason = 'Suspended on the former server'
  const [made] = await db
    .insert(mailboxes)
    .values({
      ...{ domain, websiteId, serverId, catchAll, createdBy: by },
      ...(wanted.suspended && { status: 'disabled' as const, reason }),
    })
    .returning({ id: mailboxes.id })
  if (!made) throw new Error('an insert answered no row')
  const { id } = made
  await app.secrets.write(db, hashesName(id), '{}')
  await db.insert(mailKeys).values({ mailboxId: id, selector: wanted.key?.selector ?? FIRST_SELECTOR, signs: true })
  await withinPlanOf(db, websiteId, 'plan', () =>
    insertMany(
      db,
      mailboxUsers,
      wanted.mailboxes.map(({ localPart, quotaMb, forwards, keepCopy, autoReply, suspended }) => ({
        ...{ localPart, quotaMb, forwards, keepCopy, autoReply },
        ...{ mailboxId: id, address: `${localPart}@${domain}`, createdBy: by },
        ...{ status: suspended ? ('disabled' as const) : ('active' as const), reason: suspended ? reason : '' },
      })),
    ),
  )
  await insertMany(
    db,
    mailAliases,
    wanted.aliases.map(({ localPart, targets }) => ({
      ...{ localPart, targets, mailboxId: id, address: `${localPart}@${domain}` },
    })),
  )
  const users = await db
    .select({ userId: mailboxUsers.id, localPart: mailboxUsers.localPart, address: mailboxUsers.address })
    .from(mailboxUsers)
    .where(eq(mailboxUsers.mailboxId, id))
    .orderBy(mailboxUsers.id)
  return {
    ...{ id, users },
    steps: [
      ...(await mailItself(db, serverId)),
      keyStep({ id, domain, serverId }, wanted.key?.selector ?? FIRST_SELECTOR, wanted.key?.secret),
      await domainStep(db, id),
    ],
  }
}

export const noteWorkflow = (db: Db, ids: number[], workflowId: number) =>
  db.update(mailboxes).set({ workflowId }).where(inArray(mailboxes.id, ids))
