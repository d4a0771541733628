import type { names as contract } from '@innkeeper/contract/hosting/names/calls'
import type { Website } from '@innkeeper/contract/hosting/websites'
import { missing } from '@innkeeper/contract/kit/access'
import type { Input } from '@innkeeper/contract/kit/endpoint'
import { domain as domainSchema } from '@innkeeper/contract/kit/values'
import { eq, sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import type { Context } from '../../kit/http/api.ts'
import { denied, notFound, refused } from '../../kit/http/errors.ts'
import { checkVersion } from '../../kit/http/version.ts'
import { begunBy, chooseDatabases, keepReplacement } from '../databases/replacements/choose.ts'
import { replacing } from '../databases/replacements/steps.ts'
import { readFamily } from '../websites/family.ts'
import { addTaken, type Checked, refusalOf } from '../websites/placement/problems.ts'
import { takenName } from '../websites/placement/takenName.ts'
import { readSite } from '../websites/site.ts'
import { begin } from '../websites/startWorkflow.ts'
import { websites } from '../websites/tables.ts'
import { readWebsite } from '../websites/view.ts'
import { relativesOf } from './relatives.ts'
import { type Renamed, renameSteps } from './renameSteps.ts'

/** Default days of the redirect (301) from the old name. */
const USUAL_DAYS = 90
/** Maximum length of a folder name on the server. */
const FOLDER = 128

export interface Wanted {
  newDomain?: string | undefined
  keepDays?: number | undefined
  also?: number[] | undefined
  files?: { within: string; sha256: string }[] | undefined
  databases?: boolean | undefined
}

type Relatives = Awaited<ReturnType<typeof relativesOf>>
interface Renamable extends Checked {
  newDomain?: string
  relatives?: Relatives
  chosen?: Relatives
  /** The kind of the network of WordPress that the website is. */
  network?: Network | undefined
}

/** Checks the input of a rename without writing. */
export async function choose(db: Db, website: Website, wanted: Wanted): Promise<Renamable> {
  const checked: Checked = { problems: {} }
  const { problems } = checked
  const read = domainSchema.safeParse(wanted.newDomain ?? '')
  if (wanted.newDomain && !read.success) problems.newDomain = read.error.issues[0]?.message ?? 'Not a domain name'
  const { domain, kind, status, parentDomain } = website
  if (kind === 'alias') problems.newDomain = `${domain} is an alias of ${parentDomain}: remove it, and add another`
  else if (status !== 'active' && status !== 'suspended') problems.newDomain = `${domain} is ${status} now`
  const newDomain = read.data
  if (!newDomain) return checked
  if (newDomain === domain) addTaken(checked, 'newDomain', `The website is called ${domain} already`)
  if (newDomain.length > FOLDER) problems.newDomain ??= `At most ${FOLDER} characters: it names a folder on the server`
  const taken = await takenName(db, newDomain, { ownerId: website.ownerId, siteId: website.id })
  addTaken(checked, 'newDomain', taken)
  const relatives = await relativesOf(db, website.id, domain, newDomain)
  const also = wanted.also ?? []
  const strange = also.find((id) => !relatives.some((relative) => relative.id === id))
  if (strange !== undefined) problems.also = `Website ${strange} is not under ${domain}`
  const network = await networkOf(db, website.id)
  const chosen = relatives.filter(
    ({ id, kind }) => also.includes(id) || (network === 'wordpress-names' && kind === 'alias'),
  )
  for (const relative of chosen) {
    const other = await takenName(db, relative.newDomain, { ownerId: website.ownerId, siteId: relative.parentId })
    addTaken(checked, 'also', other)
  }
  return { ...checked, newDomain, relatives, chosen, network }
}

export const settled = ({ keepDays = USUAL_DAYS, files = [] }: Wanted) => ({ keepDays, files })

/** Renames a website. The old name redirects (301) for `keepDays`. */
export async function renameWebsite(input: Input<typeof contract.rename, 'out'>, context: Context) {
  const { db, audit } = context
  const website = await readWebsite(db, input.id)
  audit.before({ domain: website.domain, documentRoot: website.documentRoot })
  checkVersion(website, input.version, website.domain)
  const choice = await choose(db, website, input)
  const { newDomain, chosen = [], network } = choice
  if (Object.keys(choice.problems).length) throw refusalOf(choice)
  if (!newDomain) throw refused('The input is incomplete') // choose() sets `newDomain` if there is no problem
  const { keepDays, files } = settled(input)
  const texts = input.databases || network ? await textSteps(context, website, newDomain, network) : undefined
  const { steps } = await renameSteps(db, { website, newDomain, chosen, keepDays, files, texts: texts?.steps ?? [] })
  audit.after({ domain: newDomain, keepDays, also: chosen.map(({ newDomain: name }) => name) })
  const family = await readFamily(db, website.id)
  const begun = await begin(context, website, 'website.rename', steps, {
    exclude: input.excludeActions,
    locks: family.map(({ id }) => `website:${id}`),
  })
  if (texts) await begunBy(db, texts.id, begun.workflowId)
  const site = { id: website.id, newDomain, kind: website.kind }
  await reserve(db, [site, ...chosen], begun.workflowId)
  return begun
}

const networks = ['wordpress-folders', 'wordpress-names'] as const
type Network = (typeof networks)[number]

/**
 * The kind of network of WordPress that a website is. A network answers only under the names in its tables, so a rename always
 * replaces them. The websites of a network in sub-domains have aliases of the network, which are renamed with it.
 */
async function networkOf(db: Db, id: number): Promise<Network | undefined> {
  const { rules } = await readSite(db, id)
  return networks.find((kind) => kind === rules?.application)
}

/** A network whose websites have names below its own gets all of them. */
export const howNamed = (network: Network | undefined): 'domain' | 'network' =>
  network === 'wordpress-names' ? 'network' : 'domain'

/** Steps that replace the name in the databases of the website, with the row that the way back needs. */
async function textSteps(context: Context, { id, domain }: Website, newDomain: string, network: Network | undefined) {
  if (missing(context.staff, 'database:database:replace').length) throw denied(['database:database:replace'])
  const names = { from: domain, to: newDomain, how: howNamed(network) }
  const databases = await chooseDatabases(context.db, id, names)
  const made = await keepReplacement(context, id, names, databases)
  return { id: made, steps: replacing(made, names, databases) }
}

/**
 * Reserves the new names with alias rows, which later hold the old names. A new name that is already an alias of this
 * website is reserved by its own row.
 */
async function reserve(db: Db, renamed: Renamed[], workflowId: number): Promise<void> {
  for (const { id, newDomain, kind } of renamed) {
    const [own] = await rows<{ id: number }>(
      db,
      sql`update websites set status_before = case when status = 'suspended' then 'suspended' else 'active' end,
          status = 'migrating', workflow_id = ${workflowId}, version = version + 1
        where domain = ${newDomain} and deleted_at is null returning website_id as id`,
    )
    if (own) continue
    const [its] = await db.select().from(websites).where(eq(websites.id, id))
    if (!its) throw notFound('website', id)
    // names of a staging copy have the account and folder of the copy
    const { ownerId, serverId, planId, systemUserId, phpVersion, environment, documentRoot } = its
    // a renamed alias gets a new row with the same parent and mode
    const of = kind === 'alias' ? its : { mode: null, parentId: id }
    await db.insert(websites).values({
      ...{ ownerId, serverId, planId, systemUserId, phpVersion, environment, documentRoot, workflowId },
      domain: newDomain,
      kind: 'alias',
      mode: of.mode ?? 'redirect',
      parentId: of.parentId ?? id,
      status: 'creating',
    })
  }
}
