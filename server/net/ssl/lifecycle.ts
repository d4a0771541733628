import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { stayingNames } from '../../hosting/websites/parts/parts.ts'
import { readSite } from '../../hosting/websites/site.ts'
import { secrets } from '../../kit/app/tables.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { nextVersion } from '../../kit/http/version.ts'
import { changed } from '../../kit/live/live.ts'
import { describe, type Outcome, onAnyEnd, onEndTouching, type Workflow, whyStopped } from '../../kit/work/workflow.ts'
import { forget } from './certificates/deleteCertificates.ts'
import { covers, renamedNames, wantedNames } from './certificates/names.ts'
import { certificateOrders, certificates, siteCertificates } from './tables.ts'

/** Minutes until a failed order is retried; doubled after each failure, up to one day. */
const AGAIN_MINUTES = 30

async function goesOn(tx: Db, id: number, workflowId: number): Promise<void> {
  await tx
    .update(certificates)
    .set({ state: sql`case when chain is null then 'ordering' else state end` })
    .where(eq(certificates.id, id))
  await tx
    .update(certificateOrders)
    .set({ outcome: sql`case when chain is null then 'running' else 'issued' end` })
    .where(and(eq(certificateOrders.workflowId, workflowId), eq(certificateOrders.outcome, 'failed')))
}

const succeeded = (tx: Db, id: number) =>
  tx
    .update(certificates)
    .set({
      failures: 0,
      // retries soon, to add the names that were left out
      reason: sql`case when missing = '[]' then null else 'Some names were left out' end`,
      renewAt: sql`case when missing = '[]' or not auto_renew then renew_at else least(renew_at, now() + interval '6 hours') end`,
      ...nextVersion,
    })
    .where(eq(certificates.id, id))

async function stopped(tx: Db, id: number, workflow: Workflow, outcome: Outcome): Promise<void> {
  const isBack = outcome === 'rolled-back'
  const reason = isBack ? undefined : await whyStopped(tx, workflow.id)
  await tx
    .update(certificateOrders)
    .set({
      outcome: isBack ? sql`case when chain is null then 'failed' else 'unused' end` : 'failed',
      ...(reason && { reason }),
    })
    .where(
      and(
        eq(certificateOrders.workflowId, workflow.id),
        inArray(certificateOrders.outcome, ['running', 'issued', 'failed']),
      ),
    )
  await tx
    .update(certificates)
    .set({
      state: sql`case when chain is null then 'failed' else state end`,
      ...(reason && { reason, failures: sql`failures + 1` }),
      renewAt: sql`case when auto_renew and chain is not null then now() + make_interval(
        mins => least(1440, ${AGAIN_MINUTES} * power(2, least(failures, 6)))::int) * (0.8 + 0.4 * random()) end`,
      ...nextVersion,
    })
    .where(eq(certificates.id, id))
}

/** Deletes the keys of finished orders that no certificate uses and no rollback needs. */
async function dropKeys(tx: Db, orders: (typeof certificateOrders.$inferSelect)[]): Promise<void> {
  const ids = [...new Set(orders.map(({ certificateId }) => certificateId))]
  if (!ids.length) return
  const spent = await tx
    .update(certificateOrders)
    .set({ secret: null })
    .where(
      and(
        inArray(certificateOrders.certificateId, ids),
        inArray(certificateOrders.outcome, ['replaced', 'unused', 'failed']),
        sql`secret is not null`,
      ),
    )
    .returning({ id: certificateOrders.id })
  if (spent.length)
    await tx.delete(secrets).where(sql`name in (select name from secrets s where exists (select from certificates c
      where c.certificate_id in ${ids} and s.name like 'certificate:' || c.certificate_id || ':%')
      and not exists (select from certificate_orders o where o.secret = s.name)
      and not exists (select from certificates c where c.secret = s.name))`)
}

/** Renews a certificate within a minute when its website has new names that the certificate should cover. */
const renames = ['website.alias', 'website.alias-mode', 'website.rename']

/** Updates the certificates of renamed websites to the new domain. */
async function followNames(tx: Db, workflowId: number): Promise<void> {
  const moved = await rows<{ id: number; from: string; to: string }>(
    tx,
    sql`select resource_id as id, input ->> 'from' as from, input ->> 'domain' as to from actions
      where workflow_id = ${workflowId} and name in ('nginx-site.rename', 'apache-site.rename')`,
  )
  for (const { id, from, to } of moved) {
    const theirs = await tx.select().from(certificates).where(eq(certificates.websiteId, id))
    const staying = await stayingNames(tx, id)
    for (const { id: certificateId, names, extraNames } of theirs)
      await tx
        .update(certificates)
        .set({
          domain: to,
          search: [to, ...names].join(' '),
          extraNames: renamedNames({ names, extraNames }, from, to, staying),
          ...nextVersion,
        })
        .where(eq(certificates.id, certificateId))
  }
}

/** Declares the workflows of this file, for domain.ts. */
export function certificateWorkflows(): void {
  describe('certificate.issue', { title: 'Issue certificate', doing: 'getting a certificate' })
  describe('certificate.renew', { title: 'Renew certificate', doing: 'getting its certificate renewed' })
  describe('certificate.install', { title: 'Install certificate', doing: 'getting another certificate' })
  describe('certificate.remove', { title: 'Take certificate off', doing: 'losing its certificate' })
  // a certificate may be ordered in a workflow of its own or of its website
  onEndTouching(['certificate'], async (tx, workflow, outcome) => {
    const orders = await tx.select().from(certificateOrders).where(eq(certificateOrders.workflowId, workflow.id))
    const ids = new Set(orders.map((one) => one.certificateId))
    for (const certificateId of ids) {
      if (outcome === 'running') await goesOn(tx, certificateId, workflow.id)
      else if (outcome === 'done') await succeeded(tx, certificateId)
      else await stopped(tx, certificateId, workflow, outcome)
      await changed(tx, 'ssl', certificateId)
    }
    if (outcome === 'done' || outcome === 'rolled-back') await dropKeys(tx, orders)
  })

  onAnyEnd(async (tx, { kind, subjectId, id }, outcome) => {
    if (outcome !== 'done' || !renames.includes(kind)) return
    if (kind === 'website.rename') await followNames(tx, id)
    const [subject] = await rows<{ id: number }>(
      tx,
      sql`select case when kind = 'alias' then parent_id else website_id end as id from websites where website_id = ${subjectId}`,
    )
    if (!subject) return
    const site = await readSite(tx, subject.id)
    const kept = await tx
      .select()
      .from(certificates)
      .where(and(eq(certificates.websiteId, site.id), certificates.autoRenew, isNull(certificates.deletedAt)))
    for (const certificate of kept) {
      const { required, others } = wantedNames(site, certificate)
      if ([...required, ...others].every((name) => covers(certificate.names, name))) continue
      await tx.update(certificates).set({ renewAt: sql`now()` }).where(eq(certificates.id, certificate.id))
      await changed(tx, 'ssl', certificate.id)
    }
  })

  /** Deletes the certificates of a website that was purged, or that a workflow made and rolled back. */
  onAnyEnd(async (tx, { kind, subjectId, id: workflowId }, outcome) => {
    const isPurged = kind === 'website.purge' && outcome === 'done'
    if (!isPurged && outcome !== 'rolled-back') return
    const family = sql`(website_id = ${subjectId} or parent_id = ${subjectId}) and deleted_at is not null`
    // imports and adoptions make websites under another subject
    const made = sql`website_id in (select c.website_id from certificate_orders o join certificates c using (certificate_id)
      where o.workflow_id = ${workflowId}) and purged_at is not null`
    const gone = await rows<{ id: number }>(
      tx,
      sql`select website_id as id from websites where ${isPurged || kind === 'website.create' ? family : made}`,
    )
    const ids = gone.map(({ id }) => id)
    if (!ids.length) return
    await tx.delete(siteCertificates).where(inArray(siteCertificates.websiteId, ids))
    const theirs = await tx
      .select({ id: certificates.id })
      .from(certificates)
      .where(inArray(certificates.websiteId, ids))
    await forget(
      tx,
      theirs.map(({ id }) => id),
    )
    if (theirs.length) await changed(tx, 'ssl')
  })
}
