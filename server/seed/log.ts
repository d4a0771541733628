import { desc, eq } from 'drizzle-orm'
import { changeOf } from '../kit/audit/change.ts'
import { BATCH, sealNext } from '../kit/audit/seal.ts'
import { chunks } from '../kit/db/chunks.ts'
import type { Db } from '../kit/db/db.ts'
import * as tables from '../tables.ts'
import type { Dice } from './dice.ts'

const MINUTE = 60_000
const DAY = 1440 * MINUTE
/** Maximum number of newest rows of each kind, because rows for all 3,000 websites would add nothing. */
const CREATED = 400

type Row = typeof tables.actionLogs.$inferInsert
type Person = typeof tables.users.$inferSelect

const iso = (time: number) => new Date(time).toISOString()

/**
 * Writes past rows of the action log in the format of the server's own writer, sealed in order. Names and ids belong to
 * existing objects, so every link of the log works.
 */
export async function seedLog(db: Db, d: Dice, staff: Person[], now: number): Promise<number> {
  const desks = new Map(staff.map(({ id }) => [id, `10.20.${1 + (id % 4)}.${10 + d.below(200)}`]))
  const by = (person: Person) => ({
    staffId: person.id,
    staffName: `${person.firstName} ${person.lastName}`,
    ip: desks.get(person.id),
  })
  const all: Row[] = [
    ...(await created(db, staff, by)),
    ...signIns(d, staff, now, by),
    ...(await cared(db, d, staff, now, by)),
  ]
  all.sort((a, b) => String(a.at).localeCompare(String(b.at)))
  for (const some of chunks(all, 500)) await db.insert(tables.actionLogs).values(some)
  for (let sealed = BATCH; sealed === BATCH; ) sealed = await sealNext(db)
  return all.length
}

type By = (person: Person) => Pick<Row, 'staffId' | 'staffName' | 'ip'>

/** The staff member who created each website, with the workflow. */
async function created(db: Db, staff: Person[], by: By): Promise<Row[]> {
  const people = new Map(staff.map((person) => [person.id, person]))
  const found = await db
    .select({ site: tables.websites, workflow: tables.workflows })
    .from(tables.websites)
    .innerJoin(tables.workflows, eq(tables.workflows.id, tables.websites.workflowId))
    .orderBy(desc(tables.websites.createdAt))
    .limit(CREATED)
  return found.flatMap(({ site, workflow }) => {
    const person = people.get(workflow.startedById ?? 0)
    if (!person) return []
    const about = { service: 'website', resource: 'website', resourceId: String(site.id), subject: site.domain }
    const made = changeOf(undefined, { ...site, status: 'creating' })
    const row = { ...by(person), ...about, action: 'create', result: 'success' as const, ...made, at: site.createdAt }
    if (site.status !== 'suspended') return [{ ...row, workflowId: workflow.id }]
    const change = changeOf({ status: 'active' }, { status: 'suspended', reason: 'Invoice overdue by two months' })
    return [
      { ...row, workflowId: workflow.id },
      { ...row, ...change, action: 'status', at: site.updatedAt },
    ]
  })
}

/** Sign-ins of ten mornings, some after a mistyped password. */
function signIns(d: Dice, staff: Person[], now: number, by: By): Row[] {
  const row = { service: 'auth', action: 'token', before: null, after: null }
  return staff.flatMap((person) =>
    Array.from({ length: 10 }, (_, day) => day)
      .filter(() => person.lastSignInAt && d.chance(0.6))
      .flatMap((day): Row[] => {
        const at = now - day * DAY - 90 * MINUTE - d.below(100 * MINUTE)
        const { ip, ...who } = by(person)
        const right: Row = { ...row, ...who, ip, result: 'success', at: iso(at) }
        const wrong: Row = {
          ...row,
          staffName: person.username,
          ip,
          result: 'failed',
          at: iso(at - d.below(40) * 1000),
        }
        return d.chance(0.06) ? [{ ...wrong, after: { error: 'User name or password is wrong' } }, right] : [right]
      }),
  )
}

/** Manual changes, and denied attempts. */
async function cared(db: Db, d: Dice, staff: Person[], now: number, by: By): Promise<Row[]> {
  const sites = await db.select().from(tables.websites).where(eq(tables.websites.status, 'active')).limit(200)
  const servers = await db.select().from(tables.servers)
  const roles = await db.select().from(tables.roles)
  const platform = roles.find(({ name }) => name === 'Platform')
  const able = staff.filter(({ roleId }) => roleId === platform?.id)
  const others = staff.filter(({ roleId, isAdmin }) => roleId !== platform?.id && !isAdmin)
  const website = (service: string, action: string, { id, domain } = d.pick(sites)) => ({
    service,
    action,
    resource: 'website',
    resourceId: String(id),
    subject: domain,
  })
  const server = (action: string, { id, name } = d.pick(servers)) => ({
    service: 'server',
    action,
    resource: 'server',
    resourceId: String(id),
    subject: name,
  })
  const role = ({ id, name } = d.pick(roles)) => ({
    service: 'users',
    action: 'update',
    resource: 'role',
    resourceId: String(id),
    subject: name,
  })
  const done = { result: 'success' } as const
  const denied = { result: 'denied', before: null, after: null } as const
  const entries: (() => Omit<Row, 'at'>)[] = [
    ...Array.from({ length: 4 }, () => () => ({
      ...by(d.pick(able)),
      ...website('vhost', 'php'),
      ...done,
      ...changeOf({ phpVersion: '8.1' }, { phpVersion: '8.2' }),
    })),
    () => ({ ...by(d.pick(able)), ...server('update'), ...done, ...changeOf({ note: null }, { note: 'Rack 12' }) }),
    () => ({ ...by(d.pick(able)), ...role(), ...done, ...changeOf({ name: 'Staff' }, { name: 'Support' }) }),
    () => ({ ...by(d.pick(others)), ...website('website', 'delete'), ...denied }),
    () => ({ ...by(d.pick(others)), ...server('delete'), ...denied }),
  ]
  // most rows are recent
  return Array.from({ length: 260 }, () => ({ ...d.pick(entries)(), at: iso(now - 45 * DAY * d.next() ** 2) }))
}
