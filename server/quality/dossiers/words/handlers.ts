import type { dossiers as contract } from '@innkeeper/contract/quality/dossiers/calls'
import type { Word } from '@innkeeper/contract/quality/dossiers/shapes'
import { eq, type SQL, sql } from 'drizzle-orm'
import { rowsByIds } from '../../../kit/db/byIds.ts'
import { isoOf } from '../../../kit/db/columns.ts'
import type { Db } from '../../../kit/db/db.ts'
import { given } from '../../../kit/db/given.ts'
import { contains, inOrder, pageKeys } from '../../../kit/db/page.ts'
import type { Context, Handlers } from '../../../kit/http/api.ts'
import { notFound } from '../../../kit/http/errors.ts'
import { checkVersion, nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { freeName } from '../../qc/settings/names.ts'
import { replacement, USES } from '../names.ts'
import { dossierWords, type WordKind } from './tables.ts'

type All = Handlers<typeof contract>
const nouns = { category: 'category', type: 'type', 'review-category': 'review category' } as const
/** The column of feedback that refers to a word of this kind. */
const columns = {
  category: sql`category_id`,
  type: sql`type_id`,
  'review-category': sql`review_category_id`,
} as const

const sorts = {
  name: { column: sql`lower(${dossierWords.name})`, type: 'text', direction: 'ASC' },
  createdAt: { column: dossierWords.createdAt, type: 'instant', direction: 'DESC' },
} as const

const ofKind = (kind: WordKind) => {
  const noun = nouns[kind]
  const read = async (db: Db, id: number): Promise<Word> => {
    const [word] = await readWords(db, [id], kind)
    if (!word) throw notFound(noun, id)
    return word
  }
  const hold = async ({ db, audit }: Context, id: number, version: number | undefined): Promise<Word> => {
    await db.select({ id: dossierWords.id }).from(dossierWords).where(eq(dossierWords.id, id)).for('update')
    const word = await read(db, id)
    audit.before(word)
    checkVersion(word, version, word.name)
    return word
  }
  const unique = {
    ...{ table: 'dossier_words', key: 'dossier_word_id', noun },
    live: sql`kind = ${kind} and deleted_at is null`,
  }
  const list: All['types'] = async (input, { db }) => {
    const where: SQL[] = [sql`${dossierWords.kind} = ${kind}`, sql`${dossierWords.deletedAt} is null`]
    if (input.search) where.push(contains(dossierWords.name, input.search))
    if (input.isActive) where.push(sql`${dossierWords.isActive} = ${input.isActive === 'true'}`)
    const order = sorts[input.sort ?? 'name']
    const { ids, ...page } = await pageKeys(db, input, {
      ...{ from: sql`${dossierWords}`, where, key: dossierWords.id, order },
    })
    return { items: await readWords(db, ids, kind), ...page }
  }
  const one: All['type'] = ({ id }, { db }) => read(db, id)
  const create: All['createType'] = async (fields, { db, staff, audit }) => {
    await freeName(db, unique, fields.name)
    const [made] = await db
      .insert(dossierWords)
      .values({ ...given(fields), kind, createdBy: staff.id })
      .returning({ id: dossierWords.id })
    const word = await read(db, made!.id) // one inserted row returns one row
    audit.after(word)
    await changed(db, 'dossiers')
    return word
  }
  const update: All['updateType'] = async ({ id, version, ...fields }, context) => {
    const { db, audit } = context
    await hold(context, id, version)
    if (fields.name) await freeName(db, unique, fields.name, id)
    await db
      .update(dossierWords)
      .set({ ...given(fields), ...nextVersion })
      .where(eq(dossierWords.id, id))
    const word = await read(db, id)
    audit.after(word)
    await changed(db, 'dossiers')
    return word
  }
  const remove: All['removeType'] = async ({ id, version, replacementId }, context) => {
    const { db, audit } = context
    const { name, uses } = await hold(context, id, version)
    const isThere = sql`exists (select from dossier_words where dossier_word_id = ${replacementId ?? null} and kind = ${kind} and deleted_at is null)`
    const heir = await replacement(db, { noun, name, id, uses, isThere }, replacementId)
    if (heir)
      await db.execute(sql`update dossier_feedbacks set ${columns[kind]} = ${heir} where ${columns[kind]} = ${id}`)
    await db
      .update(dossierWords)
      .set({ deletedAt: sql`now()`, ...nextVersion })
      .where(eq(dossierWords.id, id))
    audit.after({ replacementId: heir ?? null })
    await changed(db, 'dossiers')
  }
  return { list, one, create, update, remove }
}

const select = rowsByIds<Word & { kind: WordKind }>((isWanted) => {
  const usedAs = (column: SQL) => sql`(select count(*)::int from (select from dossier_feedbacks f
    where f.deleted_at is null and ${column} = w.dossier_word_id limit ${sql.raw(String(USES))}) as used)`
  const used = sql`case w.kind when 'category' then ${usedAs(sql`f.category_id`)} when 'type' then ${usedAs(sql`f.type_id`)}
    else ${usedAs(sql`f.review_category_id`)} end`
  return sql`select w.dossier_word_id as id, w.version, w.created_at as "createdAt", w.updated_at as "updatedAt", w.kind, w.name,
      w.description, w.is_active as "isActive", ${used} as uses
    from dossier_words w where ${isWanted(sql`w.dossier_word_id`)} and w.deleted_at is null`
})

async function readWords(db: Db, ids: number[], kind: WordKind): Promise<Word[]> {
  const found = inOrder(ids, await select(db, ids)).filter((word) => word.kind === kind)
  return found.map(({ kind: _, ...word }) => ({
    ...word,
    createdAt: isoOf(word.createdAt),
    updatedAt: isoOf(word.updatedAt),
  }))
}

const [category, type, review] = [ofKind('category'), ofKind('type'), ofKind('review-category')]

type Calls =
  | ('categories' | 'category' | 'createCategory' | 'updateCategory' | 'removeCategory')
  | ('types' | 'type' | 'createType' | 'updateType' | 'removeType')
  | ('reviewCategories' | 'reviewCategory' | 'createReviewCategory' | 'updateReviewCategory' | 'removeReviewCategory')

export const wordHandlers: Pick<All, Calls> = {
  categories: category.list,
  category: category.one,
  createCategory: category.create,
  updateCategory: category.update,
  removeCategory: category.remove,
  types: type.list,
  type: type.one,
  createType: type.create,
  updateType: type.update,
  removeType: type.remove,
  reviewCategories: review.list,
  reviewCategory: review.one,
  createReviewCategory: review.create,
  updateReviewCategory: review.update,
  removeReviewCategory: review.remove,
}
