import { missing } from '@innkeeper/contract/kit/access'
import { username as usernameSchema } from '@innkeeper/contract/kit/values'
import type { Permission } from '@innkeeper/contract/permissions/services'
import { inArray } from 'drizzle-orm'
import { type Arrived as ArrivedDatabase, arrive as arriveDatabase } from '../../../hosting/databases/arriving.ts'
import { bringFtpUsers } from '../../../hosting/ftpUsers/keep.ts'
import { crontabTake } from '../../../hosting/moves/actions.ts'
import { makeAliases } from '../../../hosting/websites/aliasRows.ts'
import { rootOf } from '../../../hosting/websites/folders.ts'
import { makeWebsite } from '../../../hosting/websites/make.ts'
import { stepsOut } from '../../../hosting/websites/parts/parts.ts'
import { readSite, withNames } from '../../../hosting/websites/site.ts'
import { ask, onUser, type Site, serve } from '../../../hosting/websites/siteSteps.ts'
import { foundation } from '../../../hosting/websites/steps.ts'
import type { Context } from '../../../kit/http/api.ts'
import { denied, refused } from '../../../kit/http/errors.ts'
import { outputOf, type PlanStep, step } from '../../../kit/work/action.ts'
import { packagesEnsure } from '../../../machines/servers/actions.ts'
import { type Arrived as ArrivedMail, arrive as arriveMail } from '../../../net/mailboxes/arriving.ts'
import { mailboxUsers } from '../../../net/mailboxes/tables.ts'
import { bringBackCertificate, foreignFacts } from '../../../net/ssl/workflow/keep.ts'
import {
  archiveCompare,
  archiveDrop,
  archiveMail,
  archiveUnpack,
  contentOf,
  importAccept,
  importVerify,
  secretsBring,
  zoneBring,
} from '../actions.ts'
import type { Drawn } from '../drawing/draw.ts'
import type { DrawnWebsite } from '../drawing/websites.ts'
import { type Lacking, noteLacking } from '../newPasswords/bring.ts'
import type { archiveImports, Made } from '../tables.ts'
import { SUMS } from '../verify.ts'
import { nameOf } from '../view.ts'

type Row = typeof archiveImports.$inferSelect
interface Choices {
  ownerId: number
  planId: number
}
interface Making {
  context: Context
  row: Row
  drawn: Drawn
  choices: Choices
}
interface MadeSite {
  drawn: DrawnWebsite
  site: Site
  aliases: number[]
}
type Begun = (workflowId: number) => Promise<void>
/** The website that shows a resource on its page. */
interface Owned {
  resource_type: string
  resource_id: number
  website_id: number
}
const owned = (websiteId: number, steps: readonly PlanStep[]): Owned[] =>
  steps.map(({ resource }) => ({ resource_type: resource.type, resource_id: resource.id, website_id: websiteId }))

/** What starting an import requires besides its own permission, by what the plan makes. */
function checkRights({ context: { staff }, drawn }: Making): void {
  const needed: Permission[] = [
    ...(drawn.websites.length ? (['website:website:create', 'system-user:user:create'] as const) : []),
    ...(drawn.databases.length ? (['database:database:create', 'database:database:import'] as const) : []),
    ...(drawn.mail.length ? (['mailbox:mailbox:create'] as const) : []),
    ...(drawn.zones.length ? (['dns:zone:create'] as const) : []),
  ]
  const lacks = needed.flatMap((one) => missing(staff, one))
  if (lacks.length) throw denied(lacks)
}

/** Inserts the rows of everything that the plan makes, in the ordinary domains, and answers the steps of the workflow. */
export async function make(
  making: Making,
): Promise<{ made: Made; steps: PlanStep[]; locks: string[]; pauseAfter: number; begun: Begun; of: Owned[] }> {
  const { context, row, drawn, choices } = making
  const { app, db, staff } = context
  checkRights(making)
  const sites = await makeSites(making)
  const siteOf = (drawnSite: DrawnWebsite) => {
    const found = sites.find((one) => one.drawn === drawnSite)
    if (!found) throw new Error(`${drawnSite.domain} was not made`)
    return found.site
  }
  const on = { server: row.serverId, resource: { type: 'archive-import', id: row.id, name: nameOf(row) } }
  const written = outputOf({ ...on, name: archiveUnpack.name }, 'dumps')
  const databases: (ArrivedDatabase & Drawn['databases'][number])[] = []
  for (const one of drawn.databases)
    databases.push({
      ...one,
      ...(await arriveDatabase(
        app,
        db,
        siteOf(one.website),
        { ...one, fileName: `${one.name} of ${row.fileName}`.slice(0, 250), written },
        staff,
      )),
    })
  const mail: (ArrivedMail & Drawn['mail'][number])[] = []
  for (const { website, ...one } of drawn.mail) {
    const websiteId = website ? siteOf(website).id : null
    mail.push({
      ...one,
      website,
      ...(await arriveMail(
        app,
        db,
        {
          ...{ ...one, websiteId, ownerId: choices.ownerId, serverId: row.serverId },
          key:
            one.selector === undefined
              ? undefined
              : { selector: one.selector, secret: contentOf(row.id, 'dkim', one.domain) },
        },
        staff.id,
      )),
    })
  }
  const begun: Begun[] = []
  const certificates: PlanStep[] = []
  for (const { drawn: one, site } of sites) {
    if (!one.certificate || !one.found.certificate) continue
    const { renews = false } = one.found.certificate
    const facts = foreignFacts(one.found.certificate, { renews })
    const bringing = await bringBackCertificate(context, site, facts, contentOf(row.id, 'certificate', site.id))
    certificates.push(...bringing.steps)
    if (bringing.begun) begun.push(bringing.begun)
  }
  const ftp = await makeFtp(making, sites)
  begun.push(...ftp.begun)
  await noteLacking(db, row.id, [...(await lackingOf(context, mail)), ...lackingAccounts(databases), ...ftp.lacking])
  // as if somebody here had suspended them: FTP users and accounts of databases are closed, too
  const closing: PlanStep[] = []
  for (const { drawn: one, site } of sites)
    if (one.state === 'suspended') closing.push(...(await stepsOut('suspend', db, site)))
  const [first] = sites
  const own = { resource: on.resource }
  const archive = { importId: row.id, ...(row.source === 'path' && { archive: row.fileName }) }
  const cronFile = `archive-${row.id}.cron.gz`
  const folders = sites.map(({ site }) => ({
    ...{ websiteId: site.id, username: site.systemUser.username, path: folderOf(rootOf(site)) },
  }))
  const before: PlanStep[] = [
    step(
      secretsBring,
      {
        ...{ importId: row.id, serverId: row.serverId },
        databases: databases.filter(({ hashed }) => hashed).map(({ username: from, secret }) => ({ from, secret })),
        mailboxes: mail.map(({ id, users, mailboxes, from: domain }) => ({
          mailboxId: id,
          users: users.flatMap(({ userId, localPart }) => {
            const box = mailboxes.find((one) => one.localPart === localPart)
            return box?.hashed ? { userId, from: addressIn(row, domain, localPart) } : []
          }),
        })),
        certificates: sites.flatMap(({ drawn: { certificate, found, from }, site }) =>
          certificate && found.certificate
            ? { from, chain: found.certificate.chain, secret: contentOf(row.id, 'certificate', site.id) }
            : [],
        ),
        dkim: mail.flatMap(({ selector, from, domain }) =>
          selector ? [{ from, secret: contentOf(row.id, 'dkim', domain) }] : [],
        ),
        ftp: ftp.made.map(({ websiteId, users }) => ({ secret: contentOf(row.id, 'ftp', websiteId), users })),
      },
      own,
    ),
    ...onlyOnce(sites.flatMap(({ site }) => foundation(site))),
    step(
      archiveUnpack,
      {
        ...archive,
        sites: sites.map(({ drawn: { domain: from }, site }) => ({ websiteId: site.id, from, ...rootOf(site) })),
        dumps: databases.map(({ name: database, file }) => ({ database, file })),
        ...(drawn.cron && first && { crontab: { username: first.site.systemUser.username, spool: cronFile } }),
      },
      on,
    ),
    // before a configuration file gets a new password
    step(
      archiveCompare,
      { sites: folders, databases: [], mailboxes: [], sums: true },
      { ...on, resource: { ...on.resource, type: SUMS } },
    ),
    ...databases.flatMap(({ steps }) => steps),
    ...mail.flatMap(({ id, steps, domain, from, users }) => [
      ...steps,
      step(
        archiveMail,
        {
          ...archive,
          from: domain,
          mailboxId: id,
          users: users.map(({ userId, localPart }) => ({ userId, localPart })),
        },
        { server: row.serverId, resource: { type: 'archive-mail', id, name: from } },
      ),
    ]),
    step(
      archiveCompare,
      {
        sites: folders,
        databases: databases.map(({ name }) => name),
        mailboxes: mail.map(({ id }) => id),
      },
      on,
    ),
    ...sites.flatMap(({ site, drawn: { state } }) => [
      serve(site, state),
      ask(site, state === 'active' ? 'served' : 'suspended'),
    ]),
    ...ftp.steps,
    ...closing,
    ...(drawn.cron && first
      ? [
          step(packagesEnsure, { packages: ['cron'] }, on),
          step(
            crontabTake,
            { username: first.site.systemUser.username, from: accountIn(row, first.site), file: cronFile },
            onUser(first.site, 'crontab'),
          ),
        ]
      : []),
    ...certificates,
    ...drawn.zones.map(({ domain, zoneFile, active }) =>
      step(
        zoneBring,
        { importId: row.id, domain, zoneFile, active, by: { id: staff.id, name: staff.name } },
        { resource: { type: 'archive-zone', id: row.id, name: domain } },
      ),
    ),
    step(importVerify, { importId: row.id }, own),
  ]
  return {
    made: {
      websites: sites.map(({ drawn: { domain, from, state }, site, aliases }) => ({
        id: site.id,
        domain,
        from,
        aliases,
        state,
      })),
      databases: databases.map(({ id, name, importId, userId, username, hashed }) => ({
        id,
        name,
        importId,
        userId,
        username,
        hashed,
      })),
      mailboxes: mail.map(({ id, domain, from, users }) => ({
        id,
        domain,
        from,
        users: users.map(({ userId, address }) => ({ userId, address })),
      })),
      certificates: sites.flatMap(({ drawn: { certificate, from }, site }) =>
        certificate ? { websiteId: site.id, from } : [],
      ),
      ...{ ftp: ftp.made, zones: drawn.zones, cron: drawn.cron ? 1 : 0 },
    },
    steps: [...before, step(importAccept, { importId: row.id }, own), step(archiveDrop, { importId: row.id }, on)],
    pauseAfter: before.length,
    of: uniqueOf([
      ...sites.flatMap(({ site, drawn: { state } }) => owned(site.id, [...foundation(site), serve(site, state)])),
      ...databases.flatMap(({ website, steps }) =>
        owned(
          siteOf(website).id,
          steps.filter(({ resource }) => resource.type.startsWith('database')),
        ),
      ),
    ]),
    locks: [
      ...sites.flatMap(({ site, aliases }) => [site.id, ...aliases].map((id) => `website:${id}`)),
      ...mail.map(({ id }) => `mailbox:${id}`),
    ],
    async begun(workflowId) {
      for (const one of begun) await one(workflowId)
    },
  }
}

/** Websites of one account share it, and its pools: each is set up once, before the first that needs it. */
const onlyOnce = (steps: readonly PlanStep[]): PlanStep[] => [
  ...new Map(steps.map((one) => [JSON.stringify([one.name, one.resource, one.input]), one])).values(),
]

/** Websites of one account share its resources: the first shows them. */
const uniqueOf = (all: readonly Owned[]): Owned[] => [
  ...new Map(all.toReversed().map((one) => [`${one.resource_type} ${one.resource_id}`, one])).values(),
]

/** The folder of a website: `/home/web1/shop.example` for `…/shop.example/public`. */
const folderOf = ({ path }: { path: string }) => path.slice(0, path.lastIndexOf('/'))

/** An address as the archive has it. */
function addressIn({ inventory }: Row, domain: string, localPart: string): string {
  const found = inventory?.mail.find((one) => one.domain === domain)
  const box = found?.mailboxes.find(({ name }) => name.toLowerCase() === localPart)
  return `${box?.name ?? localPart}@${domain}`
}

/** The former account, whose home becomes that of the new one in cron jobs. */
const accountIn = ({ inventory }: Row, site: Site) =>
  usernameSchema.safeParse(inventory?.account.name).data ?? site.systemUser.username

/** All websites on one account of their own. */
async function makeSites({ context, row, drawn, choices }: Making): Promise<MadeSite[]> {
  const { db, staff } = context
  const made: MadeSite[] = []
  for (const one of drawn.websites) {
    if (!one.phpVersion)
      throw refused('The server and the plan have no PHP version in common', {
        plan: 'Has no PHP version of the server',
      })
    const site = await makeWebsite(context, {
      ...{ originServer: row.serverId, domain: one.domain, userId: choices.ownerId, plan: choices.planId },
      ...{ systemUser: drawn.username, phpVersion: one.phpVersion },
    })
    const add = one.aliases.map((domain) => ({ domain, mode: 'serve' as const }))
    const aliases = await makeAliases(db, site.id, add, staff.id)
    made.push({ drawn: one, site: await withNames(db, await readSite(db, site.id), { add }), aliases })
  }
  return made
}

/** Mailboxes that get a new password. */
async function lackingOf({ db, now }: Context, mail: readonly (ArrivedMail & Drawn['mail'][number])[]) {
  const setAt = now.toISOString()
  const lacking = mail.flatMap(({ users, mailboxes }) =>
    users
      .filter(({ localPart }) => !mailboxes.find((one) => one.localPart === localPart)?.hashed)
      .map(({ userId, address }): Lacking => ({ kind: 'mailbox', accountId: userId, login: address, setAt })),
  )
  const ids = lacking.map(({ accountId }) => accountId)
  if (ids.length) await db.update(mailboxUsers).set({ passwordSetAt: setAt }).where(inArray(mailboxUsers.id, ids))
  return lacking
}

/** Accounts of databases that get a new password; one may have several databases. */
const lackingAccounts = (databases: readonly { userId: number; username: string; hashed: boolean }[]): Lacking[] => [
  ...new Map(
    databases
      .filter(({ hashed }) => !hashed)
      .map(({ userId, username }) => [userId, { kind: 'database' as const, accountId: userId, login: username }]),
  ).values(),
]

async function makeFtp({ context, row, drawn, choices }: Making, sites: readonly MadeSite[]) {
  const made: Made['ftp'] = []
  const lacking: Lacking[] = []
  const steps: PlanStep[] = []
  const begun: Begun[] = []
  const setAt = context.now.toISOString()
  for (const { drawn: website, site } of sites) {
    const own = drawn.ftp.filter((one) => one.website === website)
    if (!own.length) continue
    const settings = {
      quotaMb: null,
      uploadKbps: null,
      downloadKbps: null,
      sessions: null,
      expiresAt: null,
      status: 'active',
      reason: null,
    }
    const users = own.map((one, i) => ({ ...one, id: i + 1 }))
    const facts = {
      ...{ websiteId: 0, ownerId: choices.ownerId },
      users: users.map(({ id, name, folder }) => ({
        ...{ id, name, username: `${site.systemUser.username}_${name}` },
        settings: { ...settings, folder, passwordSetAt: setAt },
      })),
    }
    const bringing = await bringFtpUsers(context, site, facts, contentOf(row.id, 'ftp', site.id))
    steps.push(...bringing.steps)
    if (bringing.begun) begun.push(bringing.begun)
    const fresh = bringing.made.filter(({ was }) => users.some(({ id, hashed }) => id === was && !hashed))
    for (const { id, username } of fresh) lacking.push({ kind: 'ftp', accountId: id, login: username, setAt })
    made.push({
      websiteId: site.id,
      users: users.map(({ id, from }) => ({ id, from, fresh: fresh.find(({ was }) => was === id)?.id })),
    })
  }
  return { made, steps, begun, lacking }
}
