import type { OperationInput } from '@innkeeper/contract/agent/operations'
import type { Finding } from '@innkeeper/contract/hosting/moves/shapes'
import type { websites as contract } from '@innkeeper/contract/hosting/websites'
import type { Input, Output } from '@innkeeper/contract/kit/endpoint'
import type { App } from '../../../kit/app/app.ts'
import type { Db } from '../../../kit/db/db.ts'
import type { Context } from '../../../kit/http/api.ts'
import type { PlanStep } from '../../../kit/work/action.ts'
import type { Site } from '../siteSteps.ts'

/** A resource of a website, as a preflight lists it and a workflow moves it. */
export interface Artefact {
  websiteId: number
  /** The `resourceType` of its actions: `database`. */
  type: string
  id: number
  /** Display name: `shop_production`. */
  name: string
  /** Name of its server; empty if the resource is only in Innkeeper's tables. */
  where: string
  /** One line of detail: `MariaDB, 120 MB`. */
  detail: string
}

/** A resource before and after a rename. `after` equals `before` if the resource keeps its name. */
interface Change {
  title: string
  before: string
  after: string
}

export type Newcomers = NonNullable<OperationInput<'migration.look'>['newcomers']>

/** Input of `move`: dumps on the old server are fetched by the new one. */
export interface Carry {
  /** The website on the old and on the new server: server, account and folder differ. */
  from: Site
  to: Site
  state: 'active' | 'suspended'
  /** Move back to the server that the website came from. */
  returning: boolean
  /** File name prefix, unique to this move. */
  prefix: string
  /**
   * Copies a file from the spool folder of the old server to that of the new one. The output of `dump` has its
   * `sha256`.
   */
  fetch(file: string, dump: PlanStep): PlanStep
}
/**
 * Steps of a part in a move. `seed` runs with the first copy of the files, while the website is served as usual.
 * `freeze` runs when visitors see the moving page, and stops everything else that writes. `frozen` runs after the last
 * copy of the files. `after` runs once the old server proxies to the new one, `closed` once its folders are closed.
 */
export interface Carried {
  /** All files in the old server's spool folder that `fetch` copies. */
  files: string[]
  prepare: PlanStep[]
  seed?: PlanStep[]
  freeze?: PlanStep[]
  frozen: PlanStep[]
  after?: PlanStep[]
  closed?: PlanStep[]
}

/** Settings that a backup saves of a part of a website. */
export interface Kept {
  /** Description of the settings: `shop.example, 12 records`. */
  text: string
  /** The data that `closed` needs; not secret. */
  facts: Record<string, unknown>
  /** The complete settings including secrets; stored only in the repository of the backup. */
  content: unknown
}

export interface Bringing {
  steps: PlanStep[]
  /** Runs in the same transaction, once the workflow has its id. */
  begun?(workflowId: number): Promise<void>
}

/** Fields of the form for a new website that parts read. */
export type Wanted = Pick<Input<typeof contract.create, 'out'>, 'database' | 'mail' | 'dns' | 'certificate'>
export type AboutName = Partial<Pick<Output<typeof contract.plan, 'in'>, 'zone'>>
interface Steps {
  /** Run before the web server serves the new website. */
  before?: PlanStep[]
  /** Run once the new website is served under its names. */
  after?: PlanStep[]
}
export interface Creation extends Steps {
  /** Runs in the same transaction, once the workflow has its id. */
  begun?(workflowId: number): Promise<void>
}

/** Ways in which a website is kept, made again from a backup, copied, and moved. */
export const ways = ['backup', 'newWebsite', 'copy', 'move'] as const
export type Way = (typeof ways)[number]
/** `true`: the resource comes along or is made anew. A text: it does not; people read the text before they start. */
export type Along = Record<Way, true | string>
export const comesAlong: Along = { backup: true, newWebsite: true, copy: true, move: true }

/**
 * A kind of resource that follows its website. The hooks return steps for the website's workflows: removing steps run
 * after the web server stops serving the website, creating steps before it serves the website. A part without a hook
 * adds no steps.
 */
export interface Part {
  /** The `resourceType` of its actions. */
  kind: string
  /** Plural where a website may have several: `Databases`. */
  title: string
  /**
   * Ascending when a website is created, descending when it is removed: accounts 10, folders 20, PHP 30, databases 40,
   * caches 50, access 60, web servers 90.
   */
  order: number
  /** What becomes of the resource: a new kind of resource must not be lost without a word. */
  along: Along
  list(db: Db, websiteIds: number[]): Promise<Artefact[]>
  /** Creates what the form requests of this part. Refuses callers without the permission. */
  create?(context: Context, site: Site, wanted: Wanted): Promise<Creation>
  /** The steps of `create` for a preview; writes nothing. `site` is not stored. */
  preview?(context: Context, site: Site, wanted: Wanted): Promise<Steps>
  /** Information for the form about the domain of a new website. */
  aboutName?(context: Context, domain: string): Promise<AboutName>
  suspend?(db: Db, site: Site): Promise<PlanStep[]>
  activate?(db: Db, site: Site): Promise<PlanStep[]>
  /** Empties caches after tables of the website were replaced, while the website is in maintenance. */
  forget?(db: Db, site: Site): Promise<PlanStep[]>
  /** Removes the resource, into the trash of its server for `keepDays` if this kind has a trash. */
  remove?(db: Db, site: Site, keepDays: number): Promise<PlanStep[]>
  /** Reverts `remove`: finds what to restore by the actions that removed it. */
  restore?(db: Db, site: Site): Promise<PlanStep[]>
  /** Ids of the actions whose trash `trash.purge` deletes permanently. */
  taken?(db: Db, site: Site): Promise<number[]>
  /** Steps after the web server applied added, removed or changed names. */
  names?(db: Db, before: Site, after: Site, state: 'active' | 'suspended'): Promise<PlanStep[]>
  /** Steps after names of the website have ended, such as a former name whose redirect has expired. */
  namesEnded?(db: Db, site: Site, names: readonly string[]): Promise<PlanStep[]>
  /** `to` is the website with its new name and folder. `after` runs once the old name redirects to the new one. */
  rename?(db: Db, site: Site, to: Site): Promise<{ changes: Change[]; steps: PlanStep[]; after?: PlanStep[] }>
  /** Names below the domain that stay when the website is renamed, as that of a mail host. */
  stays?(db: Db, websiteId: number): Promise<string[]>
  /** Checks the target server before a move starts. */
  moveCheck?(db: Db, site: Site, targetServerId: number): Promise<Finding[]>
  /** Names that a move creates and that no row has on the target server; the preflight asks the server for them. */
  newcomers?(db: Db, site: Site, targetServerId: number): Promise<Partial<Newcomers>>
  move?(db: Db, carry: Carry): Promise<Carried>
  /** Sets the server in the part's own rows, in the transaction that updates the website. */
  moved?(tx: Db, websiteId: number, serverId: number): Promise<void>
  /** Settings for a backup; undefined if the website has none. */
  keep?(app: Pick<App, 'secrets'>, db: Db, site: Site): Promise<Kept | undefined>
  /**
   * Why saved settings cannot be restored to a website; undefined if they can. `id` is 0 for a website that does not
   * exist yet.
   */
  closed?(db: Db, site: Pick<Site, 'id' | 'domain'>, facts: Kept['facts']): Promise<string | undefined>
  /** Description of the present settings that a restore replaces. */
  now?(db: Db, site: Pick<Site, 'id' | 'domain'>, facts: Kept['facts']): Promise<string>
  /**
   * Steps that restore saved settings. An earlier step writes their content, as JSON, into the secret `from`. Refuses
   * callers without the permission.
   */
  bringBack?(context: Context, site: Site, facts: Kept['facts'], from: string): Promise<Bringing>
  /** Moves the resources that remain on the old server to its trash. `site` is the website as it was there. */
  leave?(db: Db, site: Site, keepDays: number): Promise<PlanStep[]>
}

let parts: readonly Part[] = []

/** Sets the parts of all domains; called once by server/registry.ts. */
export function useParts(all: readonly Part[]): void {
  const kinds = all.map(({ kind }) => kind)
  const twice = kinds.find((kind, i) => kinds.indexOf(kind) !== i)
  if (twice) throw new Error(`${twice} is a part of two domains`)
  parts = all.toSorted((a, b) => a.order - b.order)
}

/** All parts in ascending order. */
export const allParts = (): readonly Part[] => parts

/** All resources of these websites, by ascending order of their parts. */
export async function artefactsOf(db: Db, websiteIds: number[]): Promise<Artefact[]> {
  if (!websiteIds.length) return []
  const found: Artefact[] = []
  for (const { list } of parts) found.push(...(await list(db, websiteIds)))
  return found
}

/** What this website has, and does not come along, by way. */
export async function leftOut(db: Db, websiteId: number): Promise<Record<Way, string[]>> {
  const found: Record<Way, string[]> = { backup: [], newWebsite: [], copy: [], move: [] }
  for (const { along, list } of parts) {
    const texts = ways.filter((way) => along[way] !== true)
    if (!texts.length || !(await list(db, [websiteId])).length) continue
    for (const way of texts) found[way].push(String(along[way]))
  }
  return found
}

/** Steps of all parts for one website, in ascending order. */
export async function stepsIn(hook: 'activate' | 'restore' | 'forget', db: Db, site: Site): Promise<PlanStep[]> {
  const steps: PlanStep[] = []
  for (const one of parts) steps.push(...((await one[hook]?.(db, site)) ?? []))
  return steps
}

/** Steps of all parts for one website, in descending order. */
export async function stepsOut(hook: 'suspend' | 'remove', db: Db, site: Site, keepDays = 0): Promise<PlanStep[]> {
  const steps: PlanStep[] = []
  for (const one of parts.toReversed()) steps.push(...((await one[hook]?.(db, site, keepDays)) ?? []))
  return steps
}

/** Additions of the parts to a new website, in ascending order. `hook` creates or previews them. */
export async function created(
  hook: 'create' | 'preview',
  context: Context,
  site: Site,
  wanted: Wanted,
): Promise<Required<Creation>> {
  const made: Creation[] = []
  for (const part of parts) made.push((await part[hook]?.(context, site, wanted)) ?? {})
  return {
    before: made.flatMap(({ before = [] }) => before),
    after: made.flatMap(({ after = [] }) => after),
    async begun(workflowId) {
      for (const { begun } of made) await begun?.(workflowId)
    },
  }
}

export async function aboutName(context: Context, domain: string): Promise<AboutName> {
  const found: AboutName = {}
  for (const part of parts) Object.assign(found, await part.aboutName?.(context, domain))
  return found
}

/** Names below the domain of a website that a rename leaves as they are. */
export async function stayingNames(db: Db, websiteId: number): Promise<string[]> {
  const names: string[] = []
  for (const part of parts) names.push(...((await part.stays?.(db, websiteId)) ?? []))
  return names
}

/** Steps of all parts after names of the website have ended. */
export async function namesEnded(db: Db, site: Site, names: readonly string[]): Promise<PlanStep[]> {
  const steps: PlanStep[] = []
  for (const part of parts) steps.push(...((await part.namesEnded?.(db, site, names)) ?? []))
  return steps
}
