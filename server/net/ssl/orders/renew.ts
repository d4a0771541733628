import { and, eq, sql } from 'drizzle-orm'
import { holdersOf } from '../../../access/notifications/holders.ts'
import { notify } from '../../../access/notifications/notify.ts'
import { readSite } from '../../../hosting/websites/site.ts'
import { ONLINE_S } from '../../../kit/agents/online.ts'
import type { App } from '../../../kit/app/app.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { Refusal } from '../../../kit/http/errors.ts'
import { changed } from '../../../kit/live/live.ts'
import { automatic } from '../../../kit/work/automatic.ts'
import { eachOf, failedLast } from '../../../kit/work/round.ts'
import { lookAtAcme } from '../acme/account.ts'
import { AcmeAway, AcmeProblem } from '../acme/problem.ts'
import { readKept } from '../certificates/view.ts'
import { certificates } from '../tables.ts'
import { issue } from '../workflow/issue.ts'
import { begin, holdSite } from '../workflow/startWorkflow.ts'
import { refreshed } from '../workflow/steps.ts'
import { allLimits } from './budget.ts'
import { ariIdOf, renewalTime } from './renewalTime.ts'

/** Title of the round. */
const ROUND = 'a renewal could not begin'

const WHO = { id: null, name: 'Innkeeper' }
const AT_ONCE = 10
/** Orders within the authority's limit that automatic renewals leave for orders by people. */
const SPARED = 50
const ASK_HOURS = 6
/** Within this many days before expiry a renewal no longer waits for edges that are offline, but starts. */
const PRESSING_DAYS = 7

/**
 * Starts renewals that are due, those that expire first, a few at a time: `renewAt` already spreads them. With several
 * nodes the website's lock keeps a certificate from being renewed twice. A certificate is skipped while its server or
 * an edge is offline. Returns the number started.
 */
export async function renewDue(app: App): Promise<number> {
  const { db, settings } = app
  const [orders] = await allLimits(db, settings.acme)
  const room = orders ? orders.most - SPARED - orders.used : AT_ONCE
  if (room <= 0) return 0
  const due = await rows<{ id: number }>(
    db,
    sql`select c.certificate_id as id from certificates c
      join websites w on w.website_id = c.website_id and w.deleted_at is null and w.status in ('active', 'suspended')
      join server_states s on s.server_id = w.server_id and s.last_seen_at > now() - make_interval(secs => ${ONLINE_S})
      where c.deleted_at is null and c.auto_renew and c.renew_at <= now() and c.state = 'active'
        and (c.not_after < now() + make_interval(days => ${PRESSING_DAYS}) or not exists (
          select from vhosts v join vhost_edges e on e.vhost_id = v.vhost_id
            left join server_states es on es.server_id = e.server_id
          where v.website_id = c.website_id and v.deleted_at is null
            and coalesce(es.last_seen_at < now() - make_interval(secs => ${ONLINE_S}), true)))
        and exists (select from site_certificates u where u.certificate_id = c.certificate_id)
        and not exists (select from resource_locks l where l.resource = 'website:' || c.website_id)
      order by ${failedLast(app, ROUND, sql`c.certificate_id`)}, c.not_after limit ${Math.min(AT_ONCE, room)}`,
  )
  let begun = 0
  await eachOf(app, ROUND, due, ({ id }) =>
    db.transaction(async (tx) => {
      const [held] = await tx
        .select()
        .from(certificates)
        .where(and(eq(certificates.id, id), sql`renew_at <= now()`))
        .for('update')
      if (held) await renew(app, tx, held.id)
      if (held) begun++
    }),
  )
  return begun
}

async function renew(app: App, tx: Db, id: number): Promise<void> {
  const certificate = await readKept(tx, id)
  const website = await holdSite(tx, certificate.websiteId)
  const site = await readSite(tx, website.id)
  const steps = [...refreshed(site, website.state), ...(await issue(app, tx, site, certificate))]
  await begin(tx, { website, certificateId: id, kind: 'certificate.renew', steps }, WHO)
}

/** Asks the authority for its renewal windows (ARI), which may ask for an earlier renewal. */
export async function askWindows(app: App): Promise<number> {
  const { db } = app
  const due = await rows<{ id: number }>(
    db,
    sql`update certificates set window_asked_at = now() where certificate_id in (
        select certificate_id from certificates where deleted_at is null and auto_renew and kind = 'lets-encrypt' and state = 'active'
          and coalesce(window_asked_at < now() - make_interval(hours => ${ASK_HOURS}), true)
          and exists (select from site_certificates s where s.certificate_id = certificates.certificate_id)
        order by window_asked_at nulls first limit 20) returning certificate_id as id`,
  )
  if (!due.length) return 0
  const acme = await lookAtAcme(app)
  for (const { id } of due) {
    const kept = await readKept(db, id).catch((error: unknown) => {
      if (error instanceof Refusal) return undefined // it was deleted since the query
      throw error
    })
    const ariId = kept?.chain ? ariIdOf(kept.chain) : undefined
    if (!kept || !ariId) continue
    try {
      const window = await acme.renewalWindow(ariId)
      if (window) await plan(db, kept, window)
    } catch (error) {
      if (error instanceof AcmeAway || error instanceof AcmeProblem) return 0 // tried again in six hours
      throw error
    }
  }
  return due.length
}

/** Sets a new renewal time only when the window has changed: otherwise each run would draw another moment. */
async function plan(
  db: Db,
  kept: typeof certificates.$inferSelect,
  { start, end }: { start: string; end: string },
): Promise<void> {
  const same = (a: string | null, b: string) => a !== null && Date.parse(a) === Date.parse(b)
  if (same(kept.windowStart, start) && same(kept.windowEnd, end)) return
  const { notBefore, notAfter } = kept
  if (!notBefore || !notAfter) return
  await db
    .update(certificates)
    .set({ windowStart: start, windowEnd: end, renewAt: renewalTime({ notBefore, notAfter }, { start, end }) })
    .where(eq(certificates.id, kept.id))
  await changed(db, 'ssl', kept.id)
}

/** Declares the workflows of this file, for domain.ts. */
export function renewalWorkflows(): void {
  /** Notifies everybody who may renew: at the third failure, and at every failure once the certificate expires soon. */
  automatic('certificate.renew', async (tx, { id }, { why, failures }) => {
    const [renewed] = await tx.select({ id: certificates.id }).from(certificates).where(eq(certificates.workflowId, id))
    if (!renewed) return
    const { domain, notAfter, expiringAt } = await readKept(tx, renewed.id)
    const isNear = expiringAt !== null && Date.parse(expiringAt) <= Date.now()
    if (failures !== 3 && !isNear) return
    await notify(tx, {
      to: await holdersOf(tx, 'ssl:cert:renew'),
      reason: 'certificate',
      level: isNear ? 'error' : 'warning',
      title: `The certificate of ${domain} cannot be renewed`,
      body: `The certificate ends ${notAfter?.slice(0, 10) ?? 'soon'}. ${why}`,
      link: `/ssl/${renewed.id}`,
    })
  })
}
