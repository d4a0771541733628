import type { Website } from '@innkeeper/contract/hosting/websites'
import { servedName } from '@innkeeper/contract/kit/values'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import { type PlanStep, step } from '../../kit/work/action.ts'
import { wwwOf } from '../websites/names.ts'
import { renamed } from '../websites/parts/renamed.ts'
import { addTaken, type Checked } from '../websites/placement/problems.ts'
import { takenName } from '../websites/placement/takenName.ts'
import { readSite, withNames } from '../websites/site.ts'
import type { Site } from '../websites/siteSteps.ts'
import { aliasProbe, redirectProbe } from './actions.ts'

export type Mode = 'serve' | 'redirect'
/** Maximum aliases of a website: each adds two names, with its `www.` name, to one file of the web server. */
const MOST = 100

export interface AliasChoice extends Checked {
  domain?: string
  actions: PlanStep[]
}

/** Checks the input for an alias without writing. `aliasId` is 0 before the row exists. */
export async function chooseAlias(
  db: Db,
  website: Website,
  wanted: { domain?: string | undefined; mode?: Mode | undefined },
  aliasId = 0,
): Promise<AliasChoice> {
  const checked: Checked = { problems: {} }
  const { problems } = checked
  if (website.kind === 'alias')
    problems.domain = `${website.domain} is itself a name of ${website.parentDomain}: add the alias to that`
  else if (website.status !== 'active') problems.domain = `${website.domain} is ${website.status}: it has to be active`
  const read = servedName.safeParse(wanted.domain ?? '')
  if (!read.success) {
    if (wanted.domain) problems.domain ??= read.error.issues[0]?.message ?? 'Not a name'
    return { ...checked, actions: [] }
  }
  const domain = read.data
  addTaken(checked, 'domain', await whyNot(db, website, domain))
  if (problems.domain) return { ...checked, domain, actions: [] }
  const site = await readSite(db, website.id)
  return {
    problems,
    domain,
    actions: await aliasSteps(db, site, { id: aliasId, domain, mode: wanted.mode ?? 'serve' }),
  }
}

async function whyNot(db: Db, { id, domain, ownerId }: Website, name: string): Promise<string | undefined> {
  if (name === domain) return `${name} is the website itself already`
  if (wwwOf(domain).includes(name)) return `${name} is served with ${domain} already`
  const [count] = await rows<{ n: number }>(
    db,
    sql`select count(*)::int as n from websites where parent_id = ${id} and kind = 'alias' and deleted_at is null`,
  )
  if ((count?.n ?? 0) >= MOST) return `${domain} has ${MOST} aliases already`
  return takenName(db, name, { ownerId })
}

/** Steps that add an alias or change its mode, and probe the alias. */
export async function aliasSteps(
  db: Db,
  site: Site,
  alias: { id: number; domain: string; mode: Mode },
): Promise<PlanStep[]> {
  const { domain: name, mode } = alias
  const after = await withNames(db, site, { add: [{ domain: name, mode }] })
  const on = { resource: { type: 'website', id: alias.id, name }, optional: true }
  const server = site.server.id
  return [
    ...(await renamed(db, site, after, 'active')),
    mode === 'serve'
      ? step(aliasProbe, { serverId: server, name }, on)
      : step(redirectProbe, { serverId: server, name, to: site.domain }, on),
  ]
}
