import { eq, sql } from 'drizzle-orm'
import { readWebsite } from '../../hosting/websites/view.ts'
import { sinceText } from '../../kit/app/sinceText.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import type { Context } from '../../kit/http/api.ts'
import { conflict, refused } from '../../kit/http/errors.ts'
import { checkVersion, nextVersion } from '../../kit/http/version.ts'
import { changed } from '../../kit/live/live.ts'
import type { PlanStep } from '../../kit/work/action.ts'
import { cancelStopped } from '../../kit/work/cancel.ts'
import { start } from '../../kit/work/workflow.ts'
import { readMailbox } from './read.ts'
import { readUser } from './readUsers.ts'
import { domainStep } from './steps.ts'
import { mailboxes } from './tables.ts'

/** Locks and reads a mail domain; 409 or 422 if it cannot be changed now. */
export async function hold({ db, audit }: Pick<Context, 'db' | 'audit'>, id: number, version?: number) {
  await db.execute(sql`select 1 from mailboxes where mailbox_id = ${id} for update`)
  const mailbox = await readMailbox(db, id)
  audit.of('mailbox', id)
  audit.before(mailbox)
  checkVersion(mailbox, version, mailbox.domain)
  if (mailbox.state === 'deleting') throw refused(`${mailbox.domain} is being deleted`)
  return mailbox
}

/** Locks the mail domain of a mailbox and reads the mailbox. */
export async function holdUser(context: Context, id: number, version?: number) {
  const { mailboxId } = await readUser(context.db, id)
  const mailbox = await hold(context, mailboxId)
  const user = await readUser(context.db, id)
  context.audit.of('mailbox-user', id)
  context.audit.before(user)
  checkVersion(user, version, user.address)
  return { mailbox, user }
}

/** 409 while the mailbox is being deleted or restored: the opposite would contradict what has not happened yet. */
export async function refuseOpposite(db: Db, userId: number, address: string): Promise<void> {
  const [open] = await rows<{ did: string; holder: string; since: string }>(
    db,
    sql`select split_part(a.name, '.', 2) as did, w.holder, w.started_at as since from actions a
      join workflows w on w.workflow_id = a.workflow_id
      where a.resource_type = 'mailbox-user' and a.resource_id = ${userId} and w.ended_at is null and a.status <> 'skipped' limit 1`,
  )
  if (!open) return
  const doing = open.did === 'remove' ? 'deleted' : 'restored'
  throw conflict(`${address} is being ${doing} by ${open.holder} since ${sinceText(open.since)}`)
}

/** Kinds of workflows that applying all rows replaces completely. */
const replaceable = ['create', 'change', 'key', 'certificate', 'toggle', 'user-create', 'user-change']

/** Cancels stopped workflows of a mail domain, because all its rows are applied now. */
export async function replaceStopped(db: Db, id: number, by: string): Promise<void> {
  const kinds = replaceable.map((kind) => `mailbox.${kind}`)
  const stopped = await rows<{ id: number }>(
    db,
    sql`select workflow_id as id from workflows where subject_type = 'mailbox' and subject_id = ${id}
      and status = 'failed' and kind in ${kinds} for update`,
  )
  for (const one of stopped) await cancelStopped(db, one.id, by)
}

/**
 * Starts a workflow that applies the present rows of the mail domain to its server, with the locks of the mail domain
 * and of its website.
 */
export async function applied(
  db: Db,
  mailboxId: number,
  kind: string,
  by: { id: number | null; name: string },
  { before = [], after = [] }: { before?: PlanStep[]; after?: PlanStep[] } = {},
): Promise<number> {
  return begun(db, mailboxId, kind, by, [...before, await domainStep(db, mailboxId), ...after])
}

/** Starts a workflow of a mail domain. */
export async function begun(
  db: Db,
  mailboxId: number,
  kind: string,
  by: { id: number | null; name: string },
  plan: PlanStep[],
  state: 'applying' | 'deleting' | 'same' = 'applying',
): Promise<number> {
  const { domain, websiteId } = await readMailbox(db, mailboxId)
  if (websiteId !== null) {
    const website = await readWebsite(db, websiteId)
    if (website.status !== 'active' && website.status !== 'suspended')
      throw refused(
        `${website.domain} is ${website.status}: its mail can only be changed while it is active or suspended`,
      )
  }
  const workflowId = await start(db, {
    kind,
    subject: { type: 'mailbox', id: mailboxId, name: domain },
    holder: by.name,
    startedById: by.id,
    plan,
    locks: [`mailbox:${mailboxId}`, ...(websiteId === null ? [] : [`website:${websiteId}`])].toSorted(),
  })
  await db
    .update(mailboxes)
    .set({ ...(state !== 'same' && { state }), workflowId, ...nextVersion })
    .where(eq(mailboxes.id, mailboxId))
  await changed(db, 'mailboxes', mailboxId)
  return workflowId
}

/** The answer of a call that changed a mail domain, with the row of the action log. */
export async function answered({ db, audit, status }: Context, mailboxId: number, workflowId: number, code = 202) {
  const data = await readMailbox(db, mailboxId)
  audit.of('mailbox', mailboxId)
  audit.workflow(workflowId)
  audit.after(data)
  status(code)
  return { data, workflowId }
}

/** The answer of a call that changed a mailbox, with the row of the action log. */
export async function userAnswered({ db, audit }: Context, userId: number, workflowId: number) {
  const data = await readUser(db, userId)
  audit.of('mailbox-user', userId)
  audit.workflow(workflowId)
  audit.after(data)
  return { data, workflowId }
}
