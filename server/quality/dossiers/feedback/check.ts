import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import { personName } from '../../../kit/db/people.ts'
import type { Context } from '../../../kit/http/api.ts'
import { refused } from '../../../kit/http/errors.ts'
import type { WordKind } from '../words/tables.ts'
import { type About, readersOf } from './readers.ts'

interface Fields {
  typeId?: number | null | undefined
  categoryId?: number | null | undefined
  reviewCategoryId?: number | null | undefined
  mentions?: number[] | undefined
  fileIds?: number[] | undefined
  followUpById?: number | null | undefined
}

/** Throws beside the field for rows that no longer exist, and for people who could not read the entry. */
export async function checkFields(context: Context, about: About, fields: Fields): Promise<void> {
  const { db, now } = context
  await checkWord(db, 'type', fields.typeId, 'typeId')
  await checkWord(db, 'category', fields.categoryId, 'categoryId')
  await checkWord(db, 'review-category', fields.reviewCategoryId, 'reviewCategoryId')
  await checkFiles(context, fields.fileIds)
  const named = [...(fields.mentions ?? []), ...(fields.followUpById ? [fields.followUpById] : [])]
  if (!named.length) return
  const readers = new Set((await readersOf(db, now, about)).map(({ id }) => id))
  const text = 'May not read the entry'
  const strangers = fields.mentions?.filter((id) => !readers.has(id)) ?? []
  if (strangers.length) throw refused(text, { mentions: `${await namesOf(db, strangers)} may not read the entry` })
  if (fields.followUpById && !readers.has(fields.followUpById)) throw refused(text, { followUpById: text })
}

async function namesOf(db: Db, ids: number[]): Promise<string> {
  const found = await rows<{ id: number; name: string }>(
    db,
    sql`select user_id as id, ${personName()} as name from users
      where user_id = any(${sql.param(ids)}::int[]) order by name`,
  )
  const names = found.map(({ name }) => name)
  return [...names, ...ids.filter((id) => !found.some((one) => one.id === id)).map((id) => `User ${id}`)].join(', ')
}

async function checkWord(db: Db, kind: WordKind, id: number | null | undefined, field: string): Promise<void> {
  if (!id) return
  const [found] = await rows(
    db,
    sql`select from dossier_words where dossier_word_id = ${id} and kind = ${kind} and deleted_at is null`,
  )
  if (!found) throw refused('It no longer exists', { [field]: 'It no longer exists' })
}

/**
 * Readers of the entry can read its files, so the caller may attach only own files, or files that are open to
 * everybody.
 */
async function checkFiles({ db, staff }: Context, ids: number[] | undefined): Promise<void> {
  if (!ids?.length) return
  const wanted = [...new Set(ids)]
  const usable = await rows<{ id: number }>(
    db,
    sql`select f.file_id as id from files f left join folders d on d.folder_id = f.folder_id
      where f.file_id = any(${sql.param(wanted)}::int[]) and f.deleted_at is null
        and (f.owner_id = ${staff.id} or not f.is_private and not coalesce(d.hidden, false))`,
  )
  const foreign = wanted.find((id) => !usable.some((one) => one.id === id))
  if (foreign !== undefined)
    throw refused('You can attach only your own files', { fileIds: `File ${foreign} is not a file of yours` })
}
