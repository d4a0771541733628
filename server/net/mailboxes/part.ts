import type { Finding } from '@innkeeper/contract/hosting/moves/shapes'
import { missing } from '@innkeeper/contract/kit/access'
import { and, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { comesAlong, type Part } from '../../hosting/websites/parts/parts.ts'
import type { Site } from '../../hosting/websites/siteSteps.ts'
import { stateBefore } from '../../hosting/websites/stateBefore.ts'
import { websites } from '../../hosting/websites/tables.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { conflict, denied } from '../../kit/http/errors.ts'
import { changed } from '../../kit/live/live.ts'
import { servers } from '../../machines/servers/tables.ts'
import { arrive, noteWorkflow } from './arriving.ts'
import { serverFor } from './create.ts'
import { FIRST_SELECTOR, keyStep } from './keys.ts'
import { refuseLoopsThrough } from './loops.ts'
import { namesOf } from './moves/plan.ts'
import { domainStep, domainsOf, mailItself, plannedDomain, removeStep, restoreSteps } from './steps.ts'
import { mailboxes, mailboxUsers } from './tables.ts'
import { takenBy, usersFollow } from './trash.ts'

/**
 * Mail domains are suspended, deleted and restored with their website. Moves and renames of the website do not affect
 * mail, which has its own server and its own domain.
 */
export const mailboxPart: Part = {
  kind: 'mailbox',
  title: 'Mail domains',
  order: 70,
  along: {
    ...comesAlong,
    newWebsite: 'Mail is restored once the new website has a mail domain',
    copy: 'Mail domains are not copied',
  },
  async list(db, ids) {
    const found = await db
      .select({
        id: mailboxes.id,
        websiteId: mailboxes.websiteId,
        domain: mailboxes.domain,
        where: servers.name,
        users: db.$count(mailboxUsers, and(eq(mailboxUsers.mailboxId, mailboxes.id), isNull(mailboxUsers.deletedAt))),
      })
      .from(mailboxes)
      .innerJoin(servers, eq(servers.id, mailboxes.serverId))
      .where(and(inArray(mailboxes.websiteId, ids), isNull(mailboxes.deletedAt)))
      .orderBy(mailboxes.id)
    return found.map(({ id, websiteId, domain, where, users }) => ({
      websiteId: websiteId ?? 0, // the query selects rows with a website only
      type: 'mailbox',
      id,
      name: domain,
      where,
      detail: `${users} ${users === 1 ? 'mailbox' : 'mailboxes'}`,
    }))
  },
  async create({ app, db, staff }, site, { mail }) {
    if (!mail) return {}
    if (missing(staff, 'mailbox:mailbox:create').length) throw denied(['mailbox:mailbox:create'])
    const [website] = await db.select({ ownerId: websites.ownerId }).from(websites).where(eq(websites.id, site.id))
    if (!website) throw new Error('the website was not stored')
    const { ownerId } = website
    const empty = { catchAll: null, suspended: false, mailboxes: [], aliases: [] }
    const wanted = { ...empty, domain: site.domain, websiteId: site.id, ownerId, serverId: await serverOf(db, site) }
    const { id, steps } = await arrive(app, db, wanted, staff.id)
    return { after: steps, begun: async (workflowId) => void (await noteWorkflow(db, [id], workflowId)) }
  },
  async preview({ db }, site, { mail }) {
    if (!mail) return {}
    const made = { id: 1, domain: site.domain, serverId: await serverOf(db, site) }
    return {
      after: [...(await mailItself(db, made.serverId)), keyStep(made, FIRST_SELECTOR), plannedDomain(made)],
    }
  },
  async suspend(db, site) {
    const all = await domainsOf(db, site.id)
    return Promise.all(all.map(({ id }) => domainStep(db, id, { suspended: true })))
  },
  async activate(db, site) {
    const all = await domainsOf(db, site.id)
    return Promise.all(all.map(({ id }) => domainStep(db, id, { suspended: false })))
  },
  remove: async (db, site, keepDays) => (await domainsOf(db, site.id)).map((row) => removeStep(row, keepDays)),
  async restore(db, site) {
    await refuseTaken(db, site.id)
    const back = await db
      .update(mailboxes)
      .set({ deletedAt: null, state: 'applying' })
      .where(and(eq(mailboxes.websiteId, site.id), mailboxes.deletedWithWebsite, isNotNull(mailboxes.deletedAt)))
      .returning()
    const suspended = (await stateBefore(db, site.id)) === 'suspended'
    const steps = []
    for (const row of back) {
      await usersFollow(db, row.id, false)
      await refuseLoopsThrough(db, row)
      steps.push(
        ...restoreSteps(row, await takenBy(db, 'mailbox', row.id)),
        await domainStep(db, row.id, { suspended }),
      )
    }
    return steps
  },
  async taken(db, site) {
    const all = await db.select({ id: mailboxes.id }).from(mailboxes).where(eq(mailboxes.websiteId, site.id))
    const ids: number[] = []
    for (const { id } of all) ids.push(...(await takenBy(db, 'mailbox', id)))
    return ids.toSorted((a, b) => b - a).slice(0, 50)
  },
  stays: async (db, websiteId) => (await domainsOf(db, websiteId)).flatMap(({ domain }) => namesOf(domain)),
  async rename(db, site) {
    const all = await domainsOf(db, site.id)
    return {
      steps: [],
      changes: all.map(({ domain }) => ({ title: 'Mail', before: domain, after: domain })),
    }
  },
  async moveCheck(db, site): Promise<Finding[]> {
    const found = await db
      .select({ domain: mailboxes.domain, where: servers.name })
      .from(mailboxes)
      .innerJoin(servers, eq(servers.id, mailboxes.serverId))
      .where(and(eq(mailboxes.websiteId, site.id), isNull(mailboxes.deletedAt)))
    const text = found.map(({ domain, where }) => `${domain} stays on ${where}`).join('; ')
    return found.length ? [{ key: 'mail', title: 'Mail', level: 'ok', text }] : []
  },
  async moved(tx, websiteId) {
    await tx.update(mailboxes).set({ updatedAt: sql`now()` }).where(eq(mailboxes.websiteId, websiteId))
    await changed(tx, 'mailboxes')
  },
}

const serverOf = (db: Db, { server }: Site) => serverFor(db, undefined, { serverId: server.id }, 'mail')

/** Throws 409 if a mail domain of a deleted website was made anew meanwhile. */
async function refuseTaken(db: Db, websiteId: number): Promise<void> {
  const [taken] = await rows<{ domain: string; where: string }>(
    db,
    sql`select n.domain, s.name as where from mailboxes m
      join mailboxes n on n.domain = m.domain and n.deleted_at is null join servers s on s.server_id = n.server_id
      where m.website_id = ${websiteId} and m.deleted_with_website and m.deleted_at is not null limit 1`,
  )
  if (taken)
    throw conflict(`${taken.domain} has mail on ${taken.where} by now. Delete that mail domain first.`, {
      fields: { domain: 'Its mail domain was made anew meanwhile' },
    })
}
