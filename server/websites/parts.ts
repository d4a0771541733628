import type { Finding } from '@innkeeper/contract/moves'
import type { Db } from '../kit/db/db.ts'
import type { PlanStep } from '../kit/work/action.ts'
import type { Site } from './steps.ts'

/** One thing of a website somewhere: what a preflight lists and a workflow carries. */
export interface Artefact {
  websiteId: number
  /** The `resourceType` of its actions: `database`. */
  type: string
  id: number
  /** What people call it: `shop_production`. */
  name: string
  /** The server that it is on; empty for what is in our own tables alone. */
  where: string
  /** One line: `MariaDB, 120 MB`. */
  detail: string
}

/** What a rename makes of one thing; `after` is `before` again for what keeps its name. */
export interface Change {
  title: string
  before: string
  after: string
}

/** How the parts of a website come to another server: what they dump over there is fetched here. */
export interface Carry {
  /** The same website at both ends: its server, account and folder differ. */
  from: Site
  to: Site
  state: 'active' | 'suspended'
  /** What files of this move begin with: nobody else's do. */
  prefix: string
  /** Brings a file of the old server's spool folder to the new one's; `dump` answers its `sha256`. */
  fetch(file: string, dump: PlanStep): PlanStep
}
/**
 * `seed`: beside the first copy of its files, while visitors notice nothing. `freeze`: as they come to read that the website
 * is moving, whatever else writes for it ends. `frozen`: once its files are there. `after`: once the old server hands on to
 * the new one.
 */
export interface Carried {
  /** Of the old server's spool folder, all that `fetch` names. */
  files: string[]
  prepare: PlanStep[]
  seed?: PlanStep[]
  freeze?: PlanStep[]
  frozen: PlanStep[]
  after?: PlanStep[]
}

/**
 * What belongs to a website and goes where it goes. The hooks answer plan steps, put into the workflows of the website:
 * on the way out after it is served no more, on the way in before it is served. Absent: nothing is to be done.
 */
export interface Part {
  /** The `resourceType` of its actions. */
  kind: string
  /** Plural where a website may have several: `Databases`. */
  title: string
  /** Small is first on the way in and last on the way out: accounts 10, folders 20, PHP 30, databases 40, caches 50, access 60, web servers 90. */
  order: number
  list(db: Db, websiteIds: number[]): Promise<Artefact[]>
  /** Of a website that is made, once it is served under its names: what has to find it there (certificates). */
  create?(db: Db, site: Site): Promise<PlanStep[]>
  suspend?(db: Db, site: Site): Promise<PlanStep[]>
  activate?(db: Db, site: Site): Promise<PlanStep[]>
  /** Tables of it are others by now, and nobody visits: what was kept of those before goes. */
  forget?(db: Db, site: Site): Promise<PlanStep[]>
  /** Into the trash of its server, where it has one, for `keepDays`. */
  remove?(db: Db, site: Site, keepDays: number): Promise<PlanStep[]>
  /** The way back of `remove`: its own actions on this website say what that took. */
  restore?(db: Db, site: Site): Promise<PlanStep[]>
  /** Actions whose spoils `trash.purge` takes away for good. */
  taken?(db: Db, site: Site): Promise<number[]>
  /** A name more or less, or one that answers in another way: what has to know, once its own server does. */
  names?(db: Db, before: Site, after: Site, state: 'active' | 'suspended'): Promise<PlanStep[]>
  /** `to` is the same website under its new name, with its new folder. `after`: once the old name leads there. */
  rename?(db: Db, site: Site, to: Site): Promise<{ changes: Change[]; steps: PlanStep[]; after?: PlanStep[] }>
  /** To another server. Before the start `moveCheck` says what it would meet there. */
  moveCheck?(db: Db, site: Site, targetServerId: number): Promise<Finding[]>
  move?(db: Db, carry: Carry): Promise<Carried>
  /** Our own rows say where it is now, in the transaction in which the website's own do. */
  moved?(tx: Db, websiteId: number, serverId: number): Promise<void>
  /** What still is on the server that the website has left (`site`: as it was there) goes into the trash. */
  leave?(db: Db, site: Site, keepDays: number): Promise<PlanStep[]>
}

const parts: Part[] = []

/**
 * A domain registers its part once, at the top level of a module that its handlers import:
 *
 *     part({
 *       kind: 'database',
 *       title: 'Databases',
 *       order: 40,
 *       list: databasesOf,
 *       remove: async (db, site, keepDays) => (await readDatabases(db, site.id)).map((one) => step(databaseRemove, …)),
 *     })
 */
export function part(one: Part): void {
  if (parts.some(({ kind }) => kind === one.kind)) throw new Error(`${one.kind} is a part of websites already`)
  parts.push(one)
  parts.sort((a, b) => a.order - b.order)
}

/** Every part that is registered, in the order of the way in. */
export const allParts = (): readonly Part[] => parts

/** All that these websites have anywhere, in the order of the way in. */
export async function artefactsOf(db: Db, websiteIds: number[]): Promise<Artefact[]> {
  if (!websiteIds.length) return []
  const found: Artefact[] = []
  for (const { list } of parts) found.push(...(await list(db, websiteIds)))
  return found
}

/** The steps of all parts for one website, on the way in. */
export async function stepsIn(
  hook: 'create' | 'activate' | 'restore' | 'forget',
  db: Db,
  site: Site,
): Promise<PlanStep[]> {
  const steps: PlanStep[] = []
  for (const one of parts) steps.push(...((await one[hook]?.(db, site)) ?? []))
  return steps
}

/** The same on the way out, where the last to come is the first to go. */
export async function stepsOut(hook: 'suspend' | 'remove', db: Db, site: Site, keepDays = 0): Promise<PlanStep[]> {
  const steps: PlanStep[] = []
  for (const one of parts.toReversed()) steps.push(...((await one[hook]?.(db, site, keepDays)) ?? []))
  return steps
}
