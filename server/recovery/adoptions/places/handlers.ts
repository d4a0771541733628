import { Placed } from '@innkeeper/contract/agent/inPlace'
import { username as usernameSchema } from '@innkeeper/contract/kit/values'
import type { adoptions as contract } from '@innkeeper/contract/recovery/adoptions/calls'
import { eq } from 'drizzle-orm'
import { limitsOf, poolSize } from '../../../hosting/systemUsers/steps.ts'
import { noteMaker } from '../../../hosting/websites/arriving.ts'
import { namesOf } from '../../../hosting/websites/names.ts'
import { choose } from '../../../hosting/websites/placement/placement.ts'
import { rulesIn } from '../../../hosting/websites/site.ts'
import { type Site, served } from '../../../hosting/websites/siteSteps.ts'
import { liveRead } from '../../../kit/agents/liveRead.ts'
import type { Db } from '../../../kit/db/db.ts'
import type { Context, Handlers } from '../../../kit/http/api.ts'
import { conflict, notFound, refused } from '../../../kit/http/errors.ts'
import { nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { outputOf, type PlanStep, step } from '../../../kit/work/action.ts'
import { cancel, resume, start } from '../../../kit/work/workflow.ts'
import { servers } from '../../../machines/servers/tables.ts'
import { bringBackCertificate, foreignFacts } from '../../../net/ssl/workflow/keep.ts'
import { diffOf } from '../../../net/vhosts/diff.ts'
import { certificateBring, certificateOf, placeAccept } from '../actions.ts'
import { adoptionPlaces, adoptions } from '../tables.ts'
import { held } from '../view.ts'
import { makePlace } from './make.ts'
import { taking } from './steps.ts'
import { heldPlace, readPlace } from './view.ts'

type Adoption = typeof adoptions.$inferSelect
type Calls = Pick<Handlers<typeof contract>, 'place' | 'take' | 'acceptPlace' | 'undoPlace'>

export const placesHandlers: Calls = {
  async place({ id, account, website, userId, plan: planId }, { app, db }) {
    const [row] = await db.select().from(adoptions).where(eq(adoptions.id, id))
    if (!row) throw notFound('adoption', id)
    const { username } = await placeable(db, row, account, website)
    const choice = await choose(db, {
      originServer: row.serverId,
      domain: website.toLowerCase(),
      userId,
      plan: planId,
      systemUser: username,
    })
    const { server, plan, domain } = choice
    const question = { username, website, ...(plan?.phpVersions[0] && { phpVersion: plan.phpVersions[0] }) }
    const first = Placed.parse(await liveRead(app, row.serverId, 'place.look', question))
    const { facts } = first
    const problems: Record<string, string> = { ...choice.problems }
    delete problems.originServer // the machine needs no provisioning for a website that it serves already
    delete problems.phpVersion
    if (plan && facts.phpVersion && !plan.phpVersions.includes(facts.phpVersion))
      problems.plan = `The website has PHP ${facts.phpVersion}, and the plan ${plan.name} has ${plan.phpVersions.join(', ')}`
    if (plan && first.usedMb > plan.diskMb)
      problems.plan ??= `The account has ${first.usedMb} MB, and the plan ${plan.name} allows ${plan.diskMb}: its websites could write nothing any more`
    if (!server || !plan || !domain || !facts.phpVersion || facts.obstacles.length) return shown(first, problems)
    const aliases = [
      ...facts.serves.map((name) => ({ domain: name, mode: 'serve' as const })),
      ...facts.redirects.map((name) => ({ domain: name, mode: 'redirect' as const })),
    ]
    const site: Site = {
      ...{ id: 1, kind: 'main', domain, documentRoot: facts.root, phpVersion: facts.phpVersion, server, plan },
      ...namesOf(domain, aliases, new Set(aliases.map((one) => one.domain))),
      systemUser: { id: 1, username },
      ...rulesIn({ application: facts.application, nginx: '', apache: '' }),
    }
    const as = {
      site: { ...served(site), state: 'active' as const },
      pool: { username, phpVersion: facts.phpVersion, ...poolSize(plan.memoryMb) },
      limits: limitsOf(site),
    }
    return shown(Placed.parse(await liveRead(app, row.serverId, 'place.look', { ...question, as })), problems)
  },

  async take({ id, account, website, seen, certificate, ...wanted }, context) {
    const { db, staff, audit } = context
    const row = await held(context, id)
    const { username } = await placeable(db, row, account, website)
    const { site, aliases } = await makePlace(context, { ...wanted, serverId: row.serverId, username, website })
    const [made] = await db
      .insert(adoptionPlaces)
      .values({
        ...{ adoptionId: id, account, domain: site.domain, websiteId: site.id, aliases },
        ...{ staffName: staff.name, createdBy: staff.id },
      })
      .returning({ id: adoptionPlaces.id })
    if (!made) throw new Error('an insert answered no row')
    const resource = { type: 'website', id: site.id, name: site.domain }
    const { steps, take } = taking(site, { website, seen })
    const keeping = certificate && (await keeps(context, site, { placeId: made.id, certificate, take }))
    steps.push(...(keeping?.steps ?? []))
    const workflowId = await start(db, {
      ...{ kind: 'adoption.take', subject: resource, holder: staff.name, startedById: staff.id },
      plan: [...steps, step(placeAccept, { placeId: made.id }, { resource })],
      pauseAfter: steps.length,
      // a second website of the machine waits: each changes the same web server
      locks: [site.id, ...aliases].map((one) => `website:${one}`),
    })
    await noteMaker(db, [site.id, ...aliases], workflowId)
    await keeping?.begun?.(workflowId)
    await db.update(adoptionPlaces).set({ workflowId }).where(eq(adoptionPlaces.id, made.id))
    await changed(db, 'adoptions', id)
    audit.workflow(workflowId)
    const data = await readPlace(db, made.id)
    audit.after(data)
    return { data, workflowId }
  },

  acceptPlace: ({ id }, context) =>
    end(context, id, ['taken'], 'accepted', (workflowId) => resume(context.db, workflowId)),
  undoPlace: ({ id }, context) =>
    end(context, id, ['taken', 'failed'], 'given back', (workflowId) =>
      cancel(context.db, workflowId, context.staff.name),
    ),
}

/** Steps by which Innkeeper knows the certificate that stays, and renews it. */
async function keeps(
  context: Context,
  site: Site,
  { placeId, certificate, take }: { placeId: number; certificate: 'renews' | 'stays'; take: PlanStep },
) {
  const names = [site.domain, ...site.aliases, ...site.redirects]
  const facts = foreignFacts({ names, notAfter: null }, { renews: certificate === 'renews' })
  const redirect = outputOf(take, 'redirect') as unknown as boolean
  const { steps, begun } = await bringBackCertificate(context, site, facts, certificateOf(placeId), redirect)
  const bring = step(
    certificateBring,
    { placeId, serverId: site.server.id, domain: site.domain },
    { resource: { type: 'website', id: site.id, name: site.domain } },
  )
  return { steps: [bring, ...steps], begun }
}

const shown = ({ changes, usedMb: _, ...placed }: Placed, problems: Record<string, string>) => ({
  ...placed,
  files: changes.map(({ file, before, after }) => ({ file, lines: diffOf(before ?? '', after ?? '') })),
  problems,
})

async function end(
  context: Context,
  id: number,
  from: string[],
  what: string,
  act: (workflowId: number) => Promise<unknown>,
) {
  const { db, audit } = context
  const row = await heldPlace(context, id)
  if (!from.includes(row.status) || row.workflowId === null)
    throw refused(`${row.domain} is ${row.status}: it cannot be ${what} now`)
  if (!(await act(row.workflowId))) throw conflict('Somebody else has just accepted it or given it back')
  await db
    .update(adoptionPlaces)
    .set({ status: 'taking', ...nextVersion })
    .where(eq(adoptionPlaces.id, id))
  const data = await readPlace(db, id)
  audit.workflow(row.workflowId)
  audit.after(data)
  await changed(db, 'adoptions', row.adoptionId)
  return { data, workflowId: row.workflowId }
}

/** Whether the website was found, and the machine is one that may get websites of Innkeeper. */
async function placeable(db: Db, row: Adoption, account: string, website: string): Promise<{ username: string }> {
  if (row.status !== 'ready')
    throw refused(`This server is ${row.status}: only a server that was looked at can be taken over`)
  const found = row.found?.accounts.find((one) => one.account.name === account)
  if (!found)
    throw refused(`The server has no account ${account}`, { account: 'Is not among the accounts that were found' })
  if (!found.websites.some(({ domain }) => domain === website))
    throw refused(`The account ${account} has no ${website}`, { website: `Has no ${website}` })
  const username = usernameSchema.safeParse(account).data
  if (username === undefined)
    throw refused(`${account} is no account of a customer: bring the website side by side`, {
      account: 'Is no account of a customer',
    })
  const [server] = await db.select().from(servers).where(eq(servers.id, row.serverId))
  if (!server || !['web', 'all-in-one'].includes(server.type))
    throw refused('Make it a web server first, on its own page: its websites become those of Innkeeper', {
      account: 'The server is of the type adopted',
    })
  if (server.webServer !== 'nginx')
    throw refused('Only websites of nginx are taken over where they lie: bring those of Apache side by side')
  return { username }
}
