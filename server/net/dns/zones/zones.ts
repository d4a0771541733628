import type { Input } from '@innkeeper/contract/kit/endpoint'
import type { dns as contract } from '@innkeeper/contract/net/dns/calls'
import { fullName } from '@innkeeper/contract/net/dns/names'
import { type Entry, MAX_RECORDS } from '@innkeeper/contract/net/dns/records'
import { parseZoneFile, type Skipped } from '@innkeeper/contract/net/dns/zoneFile'
import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { mayHandOver } from '../../../access/rights/reach.ts'
import type { App } from '../../../kit/app/app.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { nameLike, pageKeys } from '../../../kit/db/page.ts'
import type { Context, Handlers } from '../../../kit/http/api.ts'
import { conflict, refused } from '../../../kit/http/errors.ts'
import { nextVersion as raised } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { cancelStopped } from '../../../kit/work/cancel.ts'
import { lockOf, openPublication, publish, withdraw } from '../publications/publish.ts'
import { applyChange, nextVersion } from '../records/apply.ts'
import type { TypedRecord } from '../records/change.ts'
import { NOTHING } from '../records/digest.ts'
import { readSettings } from '../settings.ts'
import { firstKeys } from '../signing/keys.ts'
import { resolversOf, stillTrusted } from '../signing/parent.ts'
import { dnsDepartments, records, zones } from '../tables.ts'
import { readTemplate, written } from '../templates.ts'
import { holdZone, type KeptZone, readZone, readZones } from '../view.ts'
import { visibleTo } from '../visible.ts'
import { checkedOptions } from './options.ts'

const sorts = {
  domain: { column: zones.domain, type: 'text', direction: 'ASC' },
  updatedAt: { column: zones.updatedAt, type: 'instant', direction: 'DESC' },
  createdAt: { column: zones.createdAt, type: 'instant', direction: 'DESC' },
} as const

/** Zones that the caller may see: list, create, assign to departments, activate and deactivate, delete. */
export const zonesHandlers: Pick<
  Handlers<typeof contract>,
  'zones' | 'search' | 'create' | 'remove' | 'update' | 'activate'
> = {
  zones: (input, context) => list(input, context),
  search: ({ domain, step, ...input }, context) =>
    list({ ...input, search: input.search ?? domain, itemsPerPage: step ?? input.itemsPerPage }, context),

  async create(input, context) {
    const { db, staff, app, audit } = context
    await checkPeople(context, input)
    const { departmentIds = [] } = input
    await mayHandOver(db, staff, { name: input.domain, before: [], after: departmentIds, isNew: true })
    const { zone, workflowId } = await makeZone(db, app, input, staff)
    if (workflowId !== null) audit.workflow(workflowId)
    await changed(db, 'dns', zone.id)
    // reads as an administrator, so that the creator sees the new zone in this answer whatever its departments
    return readZone(db, zone.id, { ...staff, isAdmin: true })
  },

  async remove({ zoneId, version }, { db, staff, audit, status }) {
    const zone = await holdZone(db, zoneId, staff)
    checkVersion(zone, version)
    audit.of('zone', zoneId)
    audit.before(zone)
    audit.after(null)
    const workflowId = await dropZone(db, zone, staff)
    status(workflowId === null ? 204 : 202)
    if (workflowId === null) return undefined
    audit.workflow(workflowId)
    return { workflowId }
  },

  // a stream, because the parent zone is asked before the transaction
  async update({ id, version, despiteDs, options, ...change }, context) {
    const { staff, app, lastly } = context
    const before = await readZone(context.db, id, staff)
    if (before.dnssec && change.dnssec === false && !despiteDs) {
      const [kept] = await context.db.select().from(zones).where(eq(zones.id, id))
      const why = await stillTrusted(before.domain, resolversOf(app), kept)
      if (why) throw refused(why, { dnssec: why })
    }
    return lastly(async (db) => {
      const zone = await holdZone(db, id, staff)
      checkVersion(zone, version)
      await checkPeople({ ...context, db }, change)
      if (change.departmentIds)
        await mayHandOver(db, staff, { name: zone.domain, before: zone.departmentIds, after: change.departmentIds })
      const signing = change.dnssec !== undefined && change.dnssec !== zone.dnssec
      if (signing && change.dnssec) {
        await notSignable(db, zone)
        await firstKeys(db, app, zone)
      }
      const answering = options && (await checkedOptions(db, app, zone, change.dnssec ?? zone.dnssec, options))
      const [after] = await db
        .update(zones)
        .set({
          ...(change.adminOnly !== undefined && { adminOnly: change.adminOnly }),
          ...(change.departmentIds && { departmentIds: [...new Set(change.departmentIds)] }),
          // a signed zone answers differently, and secondaries fetch the zone again only if the serial has nextVersion
          ...(signing && { dnssec: change.dnssec }),
          ...(answering && { options: answering }),
          ...((signing || answering) && { serial: nextVersion(zone.serial) }),
          ...raised,
        })
        .where(eq(zones.id, id))
        .returning()
      if (after && (signing || answering)) await publish(db, app, after, staff)
      await changed(db, 'dns', id)
      return readZone(db, id, { ...staff, isAdmin: true }) // the change may have hidden the zone from the caller
    })
  },

  async activate({ id, active, version }, { db, staff, app, audit }) {
    const zone = await holdZone(db, id, staff)
    checkVersion(zone, version)
    if (zone.active !== active) {
      const [after] = await db
        .update(zones)
        .set({
          ...{ active, changedBy: staff.name, liveSerial: null, liveChange: null },
          ...raised,
        })
        .where(eq(zones.id, id))
        .returning()
      const kept = after ?? zone
      const workflowId = active
        ? await publish(db, app, kept, staff, { whole: true, alone: true })
        : await takeAway(db, kept, staff)
      if (workflowId !== null) audit.workflow(workflowId)
      await changed(db, 'dns', id)
    }
    return readZone(db, id, staff)
  },
}

type NewZone = Pick<
  Input<typeof contract.create, 'out'>,
  'domain' | 'active' | 'adminOnly' | 'departmentIds' | 'zoneFile' | 'leaveOut' | 'templateId' | 'address'
>
/** Creates a zone with its first records, and publishes it. 409 if there is one of this name. */
export async function makeZone(db: Db, app: Pick<App, 'secrets'>, input: NewZone, by: { id: number; name: string }) {
  const [taken] = await db
    .select({ id: zones.id })
    .from(zones)
    .where(and(eq(zones.domain, input.domain), isNull(zones.deletedAt)))
  if (taken) throw conflict(`There is a zone ${input.domain} already`, { fields: { domain: 'There is one already' } })
  await notHeld(db, input.domain)
  const [made] = await db
    .insert(zones)
    .values({
      domain: input.domain,
      active: input.active ?? true,
      adminOnly: input.adminOnly ?? false,
      departmentIds: [...new Set(input.departmentIds ?? [])],
      serial: nextVersion(0),
      digest: NOTHING,
      createdBy: by.id,
    })
    .returning()
  if (!made) throw new Error('a zone was not saved')
  const { create, kept } = await firstRecords(db, input)
  const kind = input.zoneFile ? 'import' : 'create'
  const { zone } = await applyChange(db, made, { create, kept, delete: [] }, by.name, kind)
  return { zone, workflowId: await publish(db, app, zone, by, { whole: true, alone: true }) }
}

/** Deletes a zone. Answers the workflow that takes it off the name servers; null if it was not active. */
export async function dropZone(db: Db, zone: KeptZone, by: { id: number; name: string }): Promise<number | null> {
  const workflowId = zone.active ? await takeAway(db, zone, by) : null
  await db.update(zones).set({ deletedAt: sql`now()`, changedBy: by.name }).where(eq(zones.id, zone.id))
  await changed(db, 'dns', zone.id)
  return workflowId
}

async function list(input: Input<typeof contract.zones, 'out'>, { db, staff }: Context) {
  const where: SQL[] = [visibleTo(staff)]
  if (input.search) where.push(nameLike(zones.domain, input.search))
  if (input.active) where.push(input.active === 'true' ? sql`${zones.active}` : sql`not ${zones.active}`)
  if (input.adminOnly) where.push(input.adminOnly === 'true' ? sql`${zones.adminOnly}` : sql`not ${zones.adminOnly}`)
  if (input.department) where.push(sql`${zones.departmentIds} && ${sql.param(input.department)}::int[]`)
  const order = sorts[input.sort ?? 'domain']
  const { ids, ...page } = await pageKeys(db, input, { from: sql`${zones}`, where, key: zones.id, order })
  return { items: await readZones(db, ids), ...page }
}

export function checkVersion(zone: KeptZone, version: number | undefined): void {
  if (version !== undefined && version !== zone.version)
    throw conflict(`${zone.domain} was changed by ${zone.changedBy ?? 'somebody else'} meanwhile`, { current: zone })
}

/** Only promoted departments can be assigned; only administrators may make a zone admin-only. */
async function checkPeople(
  { db, staff }: Context,
  { departmentIds, adminOnly }: { departmentIds?: number[] | undefined; adminOnly?: boolean | undefined },
): Promise<void> {
  if (adminOnly && !staff.isAdmin)
    throw refused('Only administrators can hide a zone from everybody else', { adminOnly: 'For administrators' })
  if (!departmentIds?.length) return
  const known = await db
    .select({ id: dnsDepartments.departmentId })
    .from(dnsDepartments)
    .where(inArray(dnsDepartments.departmentId, departmentIds))
  const other = departmentIds.find((id) => !known.some((one) => one.id === id))
  if (other !== undefined)
    throw refused('A zone can only be assigned to promoted departments', {
      departmentIds: `Department ${other} is not promoted`,
    })
}

/** Refuses to sign a zone with ALIAS records: secondaries have no key to sign the addresses that they look up. */
async function notSignable(db: Db, { id, domain }: KeptZone): Promise<void> {
  const [alias] = await db
    .select({ name: records.name })
    .from(records)
    .where(and(eq(records.zoneId, id), eq(records.type, 'ALIAS')))
    .limit(1)
  if (!alias) return
  const why = `${fullName(alias.name, domain)} is an ALIAS, whose addresses only the primary could sign: resolvers that validate would refuse the answers of the other name servers. Replace each ALIAS with A and AAAA records first.`
  throw refused(why, { dnssec: why })
}

/** Refuses while a zone of that name is being withdrawn, or will be when its publication ends. */
async function notHeld(db: Db, domain: string): Promise<void> {
  const [held] = await rows<{ holder: string }>(
    db,
    sql`select holder from resource_locks where resource = ${lockOf(domain)}
      union all select z.changed_by from zones z join workflows w on w.subject_type = 'zone' and w.subject_id = z.zone_id
        where z.domain = ${domain} and z.deleted_at is not null and w.kind = 'zone.publish' and w.ended_at is null limit 1`,
  )
  if (held)
    throw conflict(`${domain} is still being withdrawn by ${held.holder}`, { fields: { domain: 'Still leaving' } })
}

/**
 * Takes a deleted or deactivated zone off the name servers. Cancels failed workflows, because nobody will retry them.
 * Returns the running publication, whose end handler then withdraws the zone, or else the new withdrawal.
 */
async function takeAway(db: Db, zone: KeptZone, by: { id: number; name: string }): Promise<number | null> {
  const stopped = await rows<{ id: number }>(
    db,
    sql`select workflow_id as id from workflows where subject_type = 'zone' and subject_id = ${zone.id} and status = 'failed'
      and ended_at is null`,
  )
  for (const { id } of stopped) await cancelStopped(db, id, by.name)
  const telling = await openPublication(db, zone.id)
  if (telling !== undefined) return telling
  return withdraw(db, zone, by)
}

/**
 * Records from the zone file and the template, if given. The default NS records come first, unless the given records
 * include NS records of the zone itself.
 */
async function firstRecords(
  db: Db,
  input: Pick<Input<typeof contract.create, 'out'>, 'domain' | 'zoneFile' | 'leaveOut' | 'templateId' | 'address'>,
): Promise<{ create: TypedRecord[]; kept: Entry[] }> {
  const { domain, zoneFile, leaveOut = 0, templateId, address } = input
  const given: TypedRecord[] = []
  const kept: Entry[] = []
  if (zoneFile) {
    const { entries, skipped } = parseZoneFile(zoneFile, domain)
    const [first] = skipped
    if (!entries.length)
      throw refused('The file contains no record', {
        zoneFile: first ? `Line ${first.line}: ${first.why}` : 'The file is empty',
      })
    const lost = skipped.filter(({ managed }) => !managed)
    if (lost.length !== leaveOut) throw refused(`The zone was not created: ${lostIn(lost)}`, { zoneFile: lostIn(lost) })
    if (entries.length > MAX_RECORDS) {
      const why = `The file has ${entries.length} records. A zone has at most ${MAX_RECORDS}.`
      throw refused(why, { zoneFile: why })
    }
    kept.push(...entries)
  }
  if (templateId !== undefined) given.push(...written((await readTemplate(db, templateId)).records, domain, address))
  if ([...given, ...kept].some(({ name, type }) => type === 'NS' && name === '@')) return { create: given, kept }
  const { nameServers } = await readSettings(db)
  const ns = nameServers.map((content) => ({ name: '@', type: 'NS', ttl: 86_400, content: `${content}.` }))
  return { create: [...ns, ...given], kept }
}

const SHOWN = 20
/** Text about the lines of a zone file that cannot be kept. */
const lostIn = (lost: readonly Skipped[]): string =>
  [
    `${lost.length === 1 ? '1 line of the file cannot' : `${lost.length} lines of the file cannot`} be kept`,
    ...lost.slice(0, SHOWN).map(({ line, why }) => `Line ${line}: ${why}`),
    ...(lost.length > SHOWN ? [`and ${lost.length - SHOWN} more`] : []),
  ].join('\n')
