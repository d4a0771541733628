import type { dossiers as contract } from '@innkeeper/contract/quality/dossiers/calls'
import type { TalkTemplate } from '@innkeeper/contract/quality/dossiers/talkTemplates'
import { eq, type SQL, sql } from 'drizzle-orm'
import { rowsByIds } from '../../../kit/db/byIds.ts'
import { withInstants } from '../../../kit/db/columns.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { given } from '../../../kit/db/given.ts'
import { contains, inOrder, pageKeys } from '../../../kit/db/page.ts'
import type { Context, Handlers } from '../../../kit/http/api.ts'
import { notFound } from '../../../kit/http/errors.ts'
import { checkVersion, nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { freeName } from '../../qc/settings/names.ts'
import { dossierTalkTemplates as table } from './tables.ts'

type Calls = 'talkTemplates' | 'createTalkTemplate' | 'updateTalkTemplate' | 'removeTalkTemplate'
const unique = {
  ...{ table: 'dossier_talk_templates', key: 'dossier_talk_template_id', noun: 'template' },
  live: sql`deleted_at is null`,
}
const sorts = {
  name: { column: sql`lower(${table.name})`, type: 'text', direction: 'ASC' },
  createdAt: { column: table.createdAt, type: 'instant', direction: 'DESC' },
} as const

export const talkTemplateHandlers: Pick<Handlers<typeof contract>, Calls> = {
  async talkTemplates({ search, kind, isActive, ...input }, { db }) {
    const where: SQL[] = [sql`${table.deletedAt} is null`]
    if (search) where.push(contains(table.name, search))
    if (kind) where.push(eq(table.kind, kind))
    if (isActive) where.push(eq(table.isActive, isActive === 'true'))
    const order = sorts[input.sort ?? 'name']
    const { ids, ...page } = await pageKeys(db, input, { from: sql`${table}`, where, key: table.id, order })
    return { items: await readTemplates(db, ids), ...page }
  },

  async createTalkTemplate(fields, { db, staff, audit }) {
    await freeName(db, unique, fields.name)
    const [made] = await db
      .insert(table)
      .values({ ...fields, createdBy: staff.id })
      .returning({ id: table.id })
    const template = await readTemplate(db, made!.id) // one inserted row returns one row
    audit.after(template)
    await changed(db, 'dossiers')
    return template
  },

  async updateTalkTemplate({ id, version, ...fields }, context) {
    const { db, audit } = context
    await hold(context, id, version)
    if (fields.name) await freeName(db, unique, fields.name, id)
    await db
      .update(table)
      .set({ ...given(fields), ...nextVersion })
      .where(eq(table.id, id))
    const template = await readTemplate(db, id)
    audit.after(template)
    await changed(db, 'dossiers')
    return template
  },

  async removeTalkTemplate({ id, version }, context) {
    const { db } = context
    await hold(context, id, version)
    await db
      .update(table)
      .set({ deletedAt: sql`now()`, ...nextVersion })
      .where(eq(table.id, id))
    await changed(db, 'dossiers')
  },
}

async function hold({ db, audit }: Context, id: number, version: number | undefined): Promise<void> {
  await rows(db, sql`select from dossier_talk_templates where dossier_talk_template_id = ${id} for update`)
  const template = await readTemplate(db, id)
  audit.of('talk-template', id)
  audit.before(template)
  checkVersion(template, version, template.name)
}

const select = rowsByIds<TalkTemplate>(
  (isWanted) => sql`select t.dossier_talk_template_id as id, t.version, t.created_at as "createdAt",
      t.updated_at as "updatedAt", t.kind, t.name, to_json(t.questions) as questions, t.is_active as "isActive"
    from dossier_talk_templates t where ${isWanted(sql`t.dossier_talk_template_id`)} and t.deleted_at is null`,
)
const readTemplates = async (db: Db, ids: number[]): Promise<TalkTemplate[]> =>
  inOrder(ids, await select(db, ids)).map((row) => withInstants(row, ['createdAt', 'updatedAt']))

async function readTemplate(db: Db, id: number): Promise<TalkTemplate> {
  const [template] = await readTemplates(db, [id])
  if (!template) throw notFound('template', id)
  return template
}
