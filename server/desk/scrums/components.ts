import type { scrums as contract } from '@innkeeper/contract/desk/scrums/calls'
import type { ScrumComponent } from '@innkeeper/contract/desk/scrums/shapes'
import { eq, type SQL, sql } from 'drizzle-orm'
import { rowsByIds } from '../../kit/db/byIds.ts'
import { isoOf } from '../../kit/db/columns.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { nameOrder } from '../../kit/db/nameOrder.ts'
import { contains, inOrder, type Listing, pageKeys } from '../../kit/db/page.ts'
import type { Context, Handlers } from '../../kit/http/api.ts'
import { conflict, notFound } from '../../kit/http/errors.ts'
import { checkVersion, nextVersion } from '../../kit/http/version.ts'
import { changed } from '../../kit/live/live.ts'
import { scrumComponents as table } from './tables.ts'

type Calls = 'components' | 'activeComponents' | 'component' | 'createComponent' | 'updateComponent' | 'removeComponent'
type Status = ScrumComponent['status']
type Asked = Listing & {
  sort?: 'name' | 'weight' | 'createdAt' | undefined
  search?: string | undefined
  status?: Status[] | undefined
}

const sorts = {
  name: { column: nameOrder(table.name), type: 'text', direction: 'ASC' },
  weight: { column: table.weight, type: 'int', direction: 'DESC' },
  createdAt: { column: table.createdAt, type: 'instant', direction: 'DESC' },
} as const

async function pageOfComponents(db: Db, input: Asked) {
  const where: SQL[] = [sql`${table.deletedAt} is null`]
  if (input.status) where.push(sql`${table.status} = any(${sql.param(input.status)}::text[])`)
  if (input.search) where.push(contains(table.name, input.search))
  const order = sorts[input.sort ?? 'name']
  const { ids, ...page } = await pageKeys(db, input, { from: sql`${table}`, where, key: table.id, order })
  return { items: inOrder(ids, await readComponents(db, ids)), ...page }
}

export const componentHandlers: Pick<Handlers<typeof contract>, Calls> = {
  components: ({ active, status, ...input }, { db }) =>
    pageOfComponents(db, { ...input, status: active ? [active === 'true' ? 'active' : 'inactive'] : status }),

  activeComponents: (input, { db }) => pageOfComponents(db, { ...input, status: ['active'] }),

  component: ({ id }, { db }) => readComponent(db, id),

  async createComponent(fields, { db, staff, audit }) {
    await checkName(db, fields.name)
    const [made] = await db
      .insert(table)
      .values({ ...fields, createdBy: staff.id })
      .returning({ id: table.id })
    const component = await readComponent(db, made!.id) // one inserted row returns one row
    audit.after(component)
    await changed(db, 'scrums')
    return component
  },

  async updateComponent({ id, version, ...fields }, context) {
    const { db, audit } = context
    await hold(context, id, version)
    if (fields.name) await checkName(db, fields.name, id)
    await db
      .update(table)
      .set({ ...fields, ...nextVersion })
      .where(eq(table.id, id))
    const after = await readComponent(db, id)
    audit.after(after)
    await changed(db, 'scrums')
    return after
  },

  async removeComponent({ id, version }, context) {
    const { db } = context
    await hold(context, id, version)
    await db
      .update(table)
      .set({ deletedAt: sql`now()`, ...nextVersion })
      .where(eq(table.id, id))
    await changed(db, 'scrums')
  },
}

type Row = Omit<ScrumComponent, 'createdAt' | 'updatedAt'> & { createdAt: string | Date; updatedAt: string | Date }

const select = rowsByIds<Row>(
  (
    isWanted,
  ) => sql`select c.scrum_component_id as id, c.version, c.created_at as "createdAt", c.updated_at as "updatedAt",
      c.name, c.description, c.weight, c.status,
      (select count(*)::int from scrum_audit_items i join scrum_audits a on a.scrum_audit_id = i.scrum_audit_id
        where i.scrum_component_id = c.scrum_component_id and a.deleted_at is null) as audits
    from scrum_components c where ${isWanted(sql`c.scrum_component_id`)} and c.deleted_at is null`,
)

const readComponents = async (db: Db, ids: readonly number[]): Promise<ScrumComponent[]> =>
  (await select(db, ids)).map((row) => ({ ...row, createdAt: isoOf(row.createdAt), updatedAt: isoOf(row.updatedAt) }))

async function readComponent(db: Db, id: number): Promise<ScrumComponent> {
  const [component] = await readComponents(db, [id])
  if (!component) throw notFound('component', id)
  return component
}

async function hold({ db, audit }: Context, id: number, version?: number): Promise<void> {
  await rows(db, sql`select from scrum_components where scrum_component_id = ${id} for update`)
  const component = await readComponent(db, id)
  audit.before(component)
  checkVersion(component, version, component.name)
}

async function checkName(db: Db, name: string, except = 0): Promise<void> {
  const [taken] = await rows(
    db,
    sql`select from scrum_components where lower(name) = lower(${name}) and deleted_at is null
      and scrum_component_id <> ${except}`,
  )
  if (taken) throw conflict(`${name} exists already`, { fields: { name: 'Another component has that name' } })
}
