import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import type { Outcome } from '../../kit/work/workflow.ts'
import { websites } from './tables.ts'

/** A website with a parent: a sub-website, a staging copy, an alias, or an alias of one of these. */
export interface Member {
  id: number
  domain: string
  kind: 'main' | 'sub' | 'staging' | 'alias'
  status: string
  parentId: number
  systemUserId: number
  workflowId: number | null
  until: string | null
}

/** SQL condition: the row is a child or a grandchild of website `id`. */
export const below = (id: number) => sql`(${websites.parentId} = ${id}
  or ${websites.parentId} in (select c.website_id from websites c where c.parent_id = ${id}))`

/** Reads the members of a website that are not deleted, oldest first, filtered by `which`. */
export async function readFamily(db: Db, id: number, which: SQL = sql`true`): Promise<Member[]> {
  const found = await db
    .select({
      id: websites.id,
      domain: websites.domain,
      kind: websites.kind,
      status: websites.status,
      parentId: sql<number>`${websites.parentId}`,
      systemUserId: websites.systemUserId,
      workflowId: websites.workflowId,
      until: websites.until,
    })
    .from(websites)
    .where(and(below(id), isNull(websites.deletedAt), which))
    .orderBy(websites.id)
  return found
}

/** Ids of the members that were deleted with the website and are still in the trash. */
export async function readTrashedFamily(db: Db, id: number): Promise<number[]> {
  const found = await rows<{ id: number }>(
    db,
    sql`select website_id as id from websites where ${below(id)} and deleted_with_parent and deleted_at is not null
      and purged_at is null order by website_id`,
  )
  return found.map((member) => member.id)
}

/**
 * Members that change with the website: to suspend, active members; to activate, members that were suspended with it.
 */
export const followersOf = (db: Db, id: number, to: 'active' | 'suspended'): Promise<Member[]> =>
  readFamily(
    db,
    id,
    to === 'suspended'
      ? sql`${websites.status} = 'active'`
      : sql`${websites.status} = 'suspended' and ${websites.suspendedWithParent}`,
  )

const nextVersion = { version: sql`${websites.version} + 1`, updatedAt: sql`now()` }
const before = sql`coalesce(${websites.statusBefore}, 'active')`

/** Marks members as being deleted together with their website. */
export async function leaveWith(tx: Db, ids: number[], trashDays: number): Promise<void> {
  if (ids.length)
    await tx
      .update(websites)
      .set({
        status: 'deleting',
        deletedWithParent: true,
        statusBefore: sql`case when ${websites.status} = 'suspended' then 'suspended' else 'active' end`,
        purgeAfter: sql`now() + make_interval(days => ${trashDays}::int)`,
        ...nextVersion,
      })
      .where(inArray(websites.id, ids))
}

/** Marks members as being restored together with their website. */
export async function returnWith(tx: Db, ids: number[]): Promise<void> {
  if (ids.length)
    await tx
      .update(websites)
      .set({ status: 'creating', deletedAt: null, ...nextVersion })
      .where(inArray(websites.id, ids))
}

const went = eq(websites.deletedWithParent, true)
/** Aliases that a copy got with its row. */
const madeInVain = {
  where: and(eq(websites.kind, 'alias'), isNull(websites.deletedAt)),
  set: { status: 'deleted', deletedAt: sql`now()` },
}
/** By workflow kind and outcome: `where` selects the members that change, `set` holds their new columns. */
const ends: Record<string, Partial<Record<Outcome, { where: SQL | undefined; set: Record<string, unknown> }>>> = {
  'website.create': { 'rolled-back': madeInVain },
  'website.stage': { 'rolled-back': madeInVain },
  'website.suspend': {
    done: {
      where: and(eq(websites.status, 'active'), isNull(websites.deletedAt)),
      set: { status: 'suspended', suspendedWithParent: true },
    },
  },
  'website.activate': {
    done: {
      where: and(eq(websites.status, 'suspended'), eq(websites.suspendedWithParent, true), isNull(websites.deletedAt)),
      set: { status: 'active', suspendedWithParent: false },
    },
  },
  'website.delete': {
    done: { where: and(went, eq(websites.status, 'deleting')), set: { status: 'deleted', deletedAt: sql`now()` } },
    'rolled-back': {
      where: and(went, eq(websites.status, 'deleting')),
      set: { status: before, deletedWithParent: false },
    },
  },
  'website.restore': {
    done: { where: and(went, eq(websites.status, 'creating')), set: { status: before, deletedWithParent: false } },
    'rolled-back': {
      where: and(went, eq(websites.status, 'creating')),
      set: { status: 'deleted', deletedAt: sql`now()` },
    },
  },
  'website.purge': {
    done: {
      where: and(went, eq(websites.status, 'deleted'), isNull(websites.purgedAt)),
      set: { purgedAt: sql`now()` },
    },
  },
}

/** Applies the outcome of a website's workflow to its members, in the transaction that ends the workflow. */
export async function followParent(tx: Db, id: number, kind: string, outcome: Outcome): Promise<void> {
  const end = ends[kind]?.[outcome]
  if (!end) return
  await tx
    .update(websites)
    .set({ ...end.set, ...nextVersion })
    .where(and(below(id), end.where))
}
