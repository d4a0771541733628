import type { dns as contract, Template, TemplateRecord } from '@innkeeper/contract/net/dns/calls'
import { readRecord } from '@innkeeper/contract/net/dns/records'
import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { byIds } from '../../kit/db/byIds.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { contains, inOrder, pageKeys } from '../../kit/db/page.ts'
import type { Handlers } from '../../kit/http/api.ts'
import { conflict, notFound, refused } from '../../kit/http/errors.ts'
import { checkVersion, nextVersion } from '../../kit/http/version.ts'
import { changed } from '../../kit/live/live.ts'
import type { TypedRecord } from './records/change.ts'
import { dnsTemplates as table } from './tables.ts'

const columns = {
  id: table.id,
  version: table.version,
  createdAt: table.createdAt,
  updatedAt: table.updatedAt,
  name: table.name,
  records: table.records,
}
/** Sample values with which a template is validated when it is saved. */
const SAMPLE = { domain: 'example.org', address: '192.0.2.10' }

const select = byIds((db, isWanted) => db.select(columns).from(table).where(isWanted(table.id)))

/** Templates: the records that new zones start with. */
export const templatesHandlers: Pick<
  Handlers<typeof contract>,
  'templates' | 'addTemplate' | 'updateTemplate' | 'removeTemplate'
> = {
  async templates(input, { db }) {
    const where: SQL[] = [sql`${table.deletedAt} is null`]
    if (input.search) where.push(contains(table.name, input.search))
    const order = { column: table.name, type: 'text', direction: 'ASC' } as const
    const { ids, ...page } = await pageKeys(db, input, { from: sql`${table}`, where, key: table.id, order })
    return { items: inOrder(ids, await select(db, ids)), ...page }
  },

  async addTemplate({ name, records }, { db, staff, audit }) {
    await freeName(db, name)
    checkRecords(records)
    const [made] = await db.insert(table).values({ name, records, createdBy: staff.id }).returning(columns)
    if (!made) throw new Error('a template was not saved')
    audit.of('dns-template', made.id)
    audit.after(made)
    await changed(db, 'dns')
    return made
  },

  async updateTemplate({ id, version, name, records }, { db, audit }) {
    const before = await holdTemplate(db, id, version)
    audit.of('dns-template', id)
    if (name !== undefined) await freeName(db, name, id)
    if (records) checkRecords(records)
    await db
      .update(table)
      .set({
        name: name ?? before.name,
        records: records ?? before.records,
        ...nextVersion,
      })
      .where(eq(table.id, id))
    const after = await readTemplate(db, id)
    audit.before(before)
    audit.after(after)
    await changed(db, 'dns')
    return after
  },

  async removeTemplate({ id, version }, { db, audit }) {
    audit.before(await holdTemplate(db, id, version))
    audit.of('dns-template', id)
    audit.after(null)
    await db.update(table).set({ deletedAt: sql`now()` }).where(eq(table.id, id))
    await changed(db, 'dns')
  },
}

export async function readTemplate(db: Db, id: number): Promise<Template> {
  const [found] = await db
    .select(columns)
    .from(table)
    .where(and(eq(table.id, id), isNull(table.deletedAt)))
  if (!found) throw notFound('template', id)
  return found
}

async function holdTemplate(db: Db, id: number, version: number | undefined): Promise<Template> {
  await db.select({ id: table.id }).from(table).where(eq(table.id, id)).for('update')
  const found = await readTemplate(db, id)
  checkVersion(found, version, found.name)
  return found
}

async function freeName(db: Db, name: string, but = 0): Promise<void> {
  const [taken] = await rows(
    db,
    sql`select from dns_templates where lower(name) = lower(${name}) and dns_template_id <> ${but} and deleted_at is null`,
  )
  if (taken)
    throw conflict(`There is a template ${name} already`, { fields: { name: 'There is one of this name already' } })
}

/** Fills in `{domain}` and `{address}`; without an address it leaves out the records that need one. */
export const written = (records: readonly TemplateRecord[], domain: string, address?: string): TypedRecord[] =>
  records
    .filter(({ content }) => address || !content.includes('{address}'))
    .map((record) => ({
      ...record,
      name: record.name.replaceAll('{domain}', domain),
      content: record.content.replaceAll('{domain}', domain).replaceAll('{address}', address ?? ''),
    }))

function checkRecords(records: readonly TemplateRecord[]): void {
  const fields: Record<string, string> = {}
  for (const [index, record] of records.entries()) {
    const isV6 = record.type === 'AAAA'
    const [sample] = written([record], SAMPLE.domain, isV6 ? '2001:db8::10' : SAMPLE.address)
    const read = sample && readRecord({ ...sample, ttl: record.ttl }, SAMPLE.domain)
    if (!read || 'entry' in read) continue
    for (const [field, message] of Object.entries(read.problems)) fields[`records.${index}.${field}`] = message
  }
  if (Object.keys(fields).length) throw refused(Object.values(fields).join('\n'), fields)
}
