import type { sms as contract } from '@innkeeper/contract/desk/sms/calls'
import { misfit, namesIn, ofRecipient } from '@innkeeper/contract/desk/sms/text'
import { eq, type SQL, sql } from 'drizzle-orm'
import { rows } from '../../../kit/db/db.ts'
import { nameOrder } from '../../../kit/db/nameOrder.ts'
import { contains, pageKeys } from '../../../kit/db/page.ts'
import type { Context, Handlers } from '../../../kit/http/api.ts'
import { conflict, refused } from '../../../kit/http/errors.ts'
import { checkVersion, nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { smsTemplates as table } from '../tables.ts'
import { findTemplate, readTemplates } from './view.ts'

type Calls = 'createTemplate' | 'templates' | 'template' | 'updateTemplate' | 'removeTemplate'

const sorts = {
  name: { column: nameOrder(table.name), type: 'text', direction: 'ASC' },
  createdAt: { column: table.createdAt, type: 'instant', direction: 'DESC' },
} as const

export const templateHandlers: Pick<Handlers<typeof contract>, Calls> = {
  async templates(input, { db }) {
    const where: SQL[] = [sql`${table.deletedAt} is null`]
    if (input.search) where.push(contains(sql`${table.name} || ' ' || ${table.body}`, input.search))
    const order = sorts[input.sort ?? 'name']
    const { ids, ...page } = await pageKeys(db, input, { from: sql`${table}`, where, key: table.id, order })
    return { items: await readTemplates(db, ids), ...page }
  },

  template: ({ name }, { db }) => findTemplate(db, name),

  async createTemplate({ name, body, placeholders = declaredIn(body), ...fields }, { db, staff, audit }) {
    checkFit(body, placeholders)
    const [taken] = await rows(db, sql`select from sms_templates where name = ${name} and deleted_at is null`)
    if (taken) throw conflict(`${name} exists already`, { fields: { name: 'Another template has that name' } })
    await db.insert(table).values({ name, body, placeholders, ...fields, createdBy: staff.id })
    const template = await findTemplate(db, name)
    audit.of('sms-template', template.id)
    audit.after(template)
    await changed(db, 'sms')
    return template
  },

  async updateTemplate({ name, version, ...fields }, context) {
    const { db, audit } = context
    const before = await hold(context, name, version)
    const body = fields.body ?? before.body
    const placeholders = fields.placeholders ?? (fields.body ? declaredIn(body) : before.placeholders)
    checkFit(body, placeholders)
    await db
      .update(table)
      .set({ ...fields, placeholders, ...nextVersion })
      .where(eq(table.id, before.id))
    const after = await findTemplate(db, name)
    audit.after(after)
    await changed(db, 'sms')
    return after
  },

  async removeTemplate({ name, version }, context) {
    const { db } = context
    const { id } = await hold(context, name, version)
    await db
      .update(table)
      .set({ deletedAt: sql`now()`, ...nextVersion })
      .where(eq(table.id, id))
    await changed(db, 'sms')
  },
}

const declaredIn = (body: string) => namesIn(body).filter((name) => !ofRecipient.some((own) => own === name))

function checkFit(body: string, placeholders: readonly string[]): void {
  const problem = misfit(body, placeholders)
  if (problem) throw refused(problem, { body: problem })
}

async function hold({ db, audit }: Context, name: string, version?: number) {
  const template = await findTemplate(db, name, true)
  audit.of('sms-template', template.id)
  audit.before(template)
  checkVersion(template, version, name)
  return template
}
