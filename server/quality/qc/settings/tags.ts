import type { qcSettings as contract, Tag } from '@innkeeper/contract/quality/qc/settings'
import { eq, type SQL, sql } from 'drizzle-orm'
import { byIds } from '../../../kit/db/byIds.ts'
import type { Db } from '../../../kit/db/db.ts'
import { given } from '../../../kit/db/given.ts'
import { contains, inOrder, pageKeys } from '../../../kit/db/page.ts'
import type { Context, Handlers } from '../../../kit/http/api.ts'
import { notFound, refused } from '../../../kit/http/errors.ts'
import { checkVersion, nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { freeName, USES } from './names.ts'
import { qcTags } from './tables.ts'

const live = sql`${qcTags.deletedAt} is null`
const unique = { table: 'qc_tags', key: 'qc_tag_id', noun: 'tag', live: sql`deleted_at is null` }
const sorts = {
  name: { column: sql`lower(${qcTags.name})`, type: 'text', direction: 'ASC' },
  createdAt: { column: qcTags.createdAt, type: 'instant', direction: 'DESC' },
} as const

type Calls = 'tags' | 'allTags' | 'tag' | 'createTag' | 'updateTag' | 'removeTag'

export const tagHandlers: Pick<Handlers<typeof contract>, Calls> = {
  async tags(input, { db }) {
    const where: SQL[] = [live]
    if (input.search) where.push(contains(qcTags.name, input.search))
    if (input.usedFor) where.push(sql`${qcTags.usedFor} = ${input.usedFor}`)
    const order = sorts[input.sort ?? 'name']
    const { ids, ...page } = await pageKeys(db, input, { from: sql`${qcTags}`, where, key: qcTags.id, order })
    return { items: await readTags(db, ids), ...page }
  },

  async allTags({ usedFor }, { db }) {
    const kinds = usedFor ? sql`${qcTags.usedFor} in ('all', ${usedFor})` : sql`true`
    const found = await db
      .select({ id: qcTags.id })
      .from(qcTags)
      .where(sql`${live} and ${kinds}`)
      .orderBy(sql`lower(${qcTags.name})`)
    const items = await readTags(
      db,
      found.map(({ id }) => id),
    )
    return { items, total: items.length }
  },

  tag: ({ id }, { db }) => readTag(db, id),

  async createTag(fields, { db, staff, audit }) {
    await freeName(db, unique, fields.name)
    const [made] = await db
      .insert(qcTags)
      .values({ ...given(fields), createdBy: staff.id })
      .returning({ id: qcTags.id })
    const tag = await readTag(db, made!.id) // one inserted row returns one row
    audit.after(tag)
    await changed(db, 'qc')
    return tag
  },

  async updateTag({ id, version, ...fields }, context) {
    const { db, audit } = context
    await holdTag(context, id, version)
    if (fields.name) await freeName(db, unique, fields.name, id)
    await db
      .update(qcTags)
      .set({ ...given(fields), ...nextVersion })
      .where(eq(qcTags.id, id))
    const tag = await readTag(db, id)
    audit.after(tag)
    await changed(db, 'qc')
    return tag
  },

  async removeTag({ id, version }, context) {
    const { db } = context
    await holdTag(context, id, version)
    await db.update(qcTags).set({ deletedAt: sql`now()`, version: sql`version + 1` }).where(eq(qcTags.id, id))
    await changed(db, 'qc')
  },
}

async function holdTag({ db, audit }: Context, id: number, version: number | undefined): Promise<Tag> {
  await db.select({ id: qcTags.id }).from(qcTags).where(eq(qcTags.id, id)).for('update')
  const tag = await readTag(db, id)
  audit.before(tag)
  checkVersion(tag, version, tag.name)
  return tag
}

async function readTag(db: Db, id: number): Promise<Tag> {
  const [tag] = await readTags(db, [id])
  if (!tag) throw notFound('tag', id)
  return tag
}

const select = byIds((db, isWanted) =>
  db
    .select({
      id: qcTags.id,
      version: qcTags.version,
      createdAt: qcTags.createdAt,
      updatedAt: qcTags.updatedAt,
      name: qcTags.name,
      description: qcTags.description,
      colour: qcTags.colour,
      usedFor: qcTags.usedFor,
      uses: sql<number>`(select count(*)::int from (select from qc_conversations c
        where c.tag_ids @> array[qc_tags.qc_tag_id] limit ${sql.raw(String(USES))}) as used)`,
    })
    .from(qcTags)
    .where(sql`${isWanted(qcTags.id)} and ${live}`),
)
const readTags = async (db: Db, ids: number[]): Promise<Tag[]> => inOrder(ids, await select(db, ids))

/** Throws a 422 for a tag that does not exist or is not meant for the kind. Tags that the row had may be deleted meanwhile. */
export async function checkTags(
  db: Db,
  ids: readonly number[],
  kind: 'chat' | 'ticket',
  { had = [], field = 'tags' }: { had?: readonly number[]; field?: string } = {},
): Promise<void> {
  const found = await select(db, [...new Set(ids)])
  const usable = new Set(found.flatMap(({ id, usedFor }) => (usedFor === 'all' || usedFor === kind ? [id] : [])))
  const gone = ids.find((id) => !usable.has(id) && !had.includes(id))
  if (gone !== undefined)
    throw refused(`Tag ${gone} cannot be used`, { [field]: `Tag ${gone} does not exist, or is not for ${kind}s` })
}
