import { type SettingContract, settingHint } from '@innkeeper/contract/desk/trackers/settings'
import type { Setting } from '@innkeeper/contract/desk/trackers/shapes'
import { closed, type SettingKind, type Tracker } from '@innkeeper/contract/desk/trackers/values'
import { eq, type SQL, sql } from 'drizzle-orm'
import { rowsByIds } from '../../../kit/db/byIds.ts'
import { withInstants } from '../../../kit/db/columns.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { keptRows } from '../../../kit/db/driver/prepared.ts'
import { given } from '../../../kit/db/given.ts'
import { contains, inOrder, pageKeys } from '../../../kit/db/page.ts'
import type { Context, Handlers } from '../../../kit/http/api.ts'
import { conflict, notFound, refused } from '../../../kit/http/errors.ts'
import { checkVersion, nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { info } from '../info.ts'
import { inGroup } from '../items/groups.ts'
import { readItems } from '../items/view.ts'
import { trackerSettings as t } from './tables.ts'

/** Limit up to which uses are counted. */
const USES = 1000
/** Maximum number of items that `relations` adds. */
const RELATED = 25

const columns = {
  status: sql`status_id`,
  priority: sql`priority_id`,
  component: sql`component_id`,
  folder: sql`folder_id`,
  department: sql`department_id`,
} as const

const usesOf = (column: SQL) =>
  sql`(select count(*)::int from (select from tracker_items i where i.${column} = s.tracker_setting_id limit ${sql.raw(String(USES))}) as used)`
const select = rowsByIds<Setting>(
  (
    isWanted,
  ) => sql`select s.tracker_setting_id as id, s.version, s.created_at as "createdAt", s.updated_at as "updatedAt", s.kind, s.name,
    s.description, s.colour, s.position, s."group", s.is_default as "isDefault",
    case s.kind when 'status' then ${usesOf(columns.status)} when 'priority' then ${usesOf(columns.priority)}
      when 'component' then ${usesOf(columns.component)} when 'folder' then ${usesOf(columns.folder)}
      else ${usesOf(columns.department)} end as uses
  from tracker_settings s where ${isWanted(sql`s.tracker_setting_id`)} and s.deleted_at is null`,
)
const readSettings = async (db: Db, ids: number[]): Promise<Setting[]> =>
  inOrder(ids, await select(db, ids)).map((row) => withInstants(row, ['createdAt', 'updatedAt']))

/** Handlers of one kind of setting of a tracker. */
export function settingHandlers(tracker: Tracker, kind: SettingKind): Handlers<SettingContract> {
  const own = sql`${t.tracker} = ${tracker} and ${t.kind} = ${kind} and ${t.deletedAt} is null`

  async function read(db: Db, id: number): Promise<Setting> {
    const [there] = await keptRows(db, sql`select from ${t} where ${t.id} = ${id} and ${own}`)
    const [found] = there ? await readSettings(db, [id]) : []
    if (!found) throw notFound(kind, id)
    return found
  }

  async function hold({ db, audit }: Context, id: number, version: number | undefined): Promise<Setting> {
    await rows(db, sql`select from ${t} where ${t.id} = ${id} for update`)
    const setting = await read(db, id)
    audit.of(`${tracker}-${kind}`, id)
    audit.before(setting)
    checkVersion(setting, version, setting.name)
    return setting
  }

  async function checkName(db: Db, name: string, except = 0): Promise<void> {
    const [taken] = await rows(
      db,
      sql`select from ${t} where lower(${t.name}) = lower(${name}) and ${own} and ${t.id} <> ${except}`,
    )
    if (taken) throw conflict(`${name} exists already`, { fields: { name: `Another ${kind} has that name` } })
  }

  /** Refreshes the settings, and the items that show them, on open screens. */
  async function announce(db: Db): Promise<void> {
    await changed(db, settingHint(tracker, kind))
    await changed(db, info[tracker].hint)
  }

  /** Removes the default from all other settings of the kind. */
  const only = (db: Db, id: number) =>
    db.execute(
      sql`update ${t} set is_default = false, version = version + 1 where ${own} and is_default and ${t.id} <> ${id}`,
    )

  /** Updates the copies of group and position in the items of a changed setting. */
  async function carry(db: Db, before: Setting, after: Setting): Promise<void> {
    const { id, group, position } = after
    if (kind === 'status' && group !== before.group)
      await db.execute(sql`update tracker_items set ${inGroup(group)} where status_id = ${id}`)
    if (kind === 'priority' && position !== before.position)
      await db.execute(sql`update tracker_items set urgency = ${position} where priority_id = ${id}`)
  }

  return {
    async list({ search, take, desc, ...input }, { db }) {
      const where = [own, ...(search ? [contains(t.name, search)] : [])]
      const order = { column: t.position, type: 'int', direction: desc ? 'DESC' : 'ASC' } as const
      const listing = { ...input, itemsPerPage: take ?? Math.max(input.itemsPerPage, 100) }
      const { ids, ...page } = await pageKeys(db, listing, { from: sql`${t}`, where, key: t.id, order })
      return { items: await readSettings(db, ids), ...page }
    },

    async one({ id, relations }, { db }) {
      const setting = await read(db, id)
      if (!relations) return setting
      const found = await rows<{ id: number }>(
        db,
        sql`select tracker_item_id as id from tracker_items where ${columns[kind]} = ${id} and face = ${tracker} and deleted_at is null
          order by updated_at desc, tracker_item_id desc limit ${RELATED}`,
      )
      return {
        ...setting,
        items: await readItems(
          db,
          found.map((row) => row.id),
        ),
      }
    },

    async create({ group, ...fields }, { db, staff, audit }) {
      if (group && kind !== 'status') throw refused(`A ${kind} has no group`, { group: 'Only statuses have a group' })
      await checkName(db, fields.name)
      const values = { ...given(fields), tracker, kind, group: kind === 'status' ? (group ?? 'open') : null }
      const [made] = await db
        .insert(t)
        .values({ ...values, createdBy: staff.id })
        .returning({ id: t.id })
      const { id } = made! // one inserted row returns one row
      if (fields.isDefault) await only(db, id)
      const setting = await read(db, id)
      audit.of(`${tracker}-${kind}`, id)
      audit.after(setting)
      await announce(db)
      return setting
    },

    async update({ id, version, ...fields }, context) {
      const { db, audit } = context
      const before = await hold(context, id, version)
      if (fields.group && kind !== 'status')
        throw refused(`A ${kind} has no group`, { group: 'Only statuses have a group' })
      if (fields.name) await checkName(db, fields.name, id)
      await db
        .update(t)
        .set({ ...given(fields), ...nextVersion })
        .where(eq(t.id, id))
      if (fields.isDefault) await only(db, id)
      const after = await read(db, id)
      await carry(db, before, after)
      audit.after(after)
      await announce(db)
      return after
    },

    async remove({ id, replacementId, version }, context) {
      const { db, staff, audit } = context
      const before = await hold(context, id, version)
      const replacement = replacementId ? await replace(db, before, replacementId) : undefined
      if (before.uses && !replacement) {
        const using =
          before.uses === 1 ? '1 item uses' : `${before.uses === USES ? `${USES} or more` : before.uses} items use`
        const message = `${using} ${before.name}: choose a replacement`
        throw refused(message, { replacementId: message })
      }
      if (replacement) await move(db, staff.id, before, replacement)
      const [{ n } = { n: 0 }] = await rows<{ n: number }>(db, sql`select count(*)::int as n from ${t} where ${own}`)
      if (kind === 'status' && n <= 1) throw refused('The last status cannot be deleted, because items need one')
      await db
        .update(t)
        .set({ deletedAt: sql`now()`, ...nextVersion })
        .where(eq(t.id, id))
      audit.after(undefined)
      await announce(db)
    },
  }

  async function replace(db: Db, before: Setting, id: number): Promise<Setting> {
    if (id === before.id)
      throw refused('Choose another one as the replacement', { replacementId: 'This one is deleted' })
    const [there] = await rows(db, sql`select from ${t} where ${t.id} = ${id} and ${own} for update`)
    if (!there) throw refused(`There is no ${kind} ${id}`, { replacementId: `There is no ${kind} ${id}` })
    const replacement = await read(db, id)
    const isClosed = replacement.group !== null && closed.includes(replacement.group)
    const [duplicate] =
      kind === 'status' && !isClosed
        ? await rows(
            db,
            sql`select from tracker_items where status_id = ${before.id} and duplicate_of_id is not null limit 1`,
          )
        : []
    if (duplicate) {
      const message = `${before.name} has duplicates, which are closed: choose a completed or cancelled status`
      throw refused(message, { replacementId: message })
    }
    return replacement
  }

  /** Moves the items of a setting to another one, with a history row for each item. */
  async function move(db: Db, by: number, from: Setting, to: Setting): Promise<void> {
    const column = columns[kind]
    await db.execute(sql`insert into tracker_history (item_id, by, field, before, after)
      select tracker_item_id, ${by}, ${kind}, ${from.name}, ${to.name} from tracker_items where ${column} = ${from.id}`)
    const more =
      kind === 'status' ? sql`, ${inGroup(to.group)}` : kind === 'priority' ? sql`, urgency = ${to.position}` : sql``
    await db.execute(sql`update tracker_items set ${column} = ${to.id}, version = version + 1, updated_at = now()${more}
      where ${column} = ${from.id}`)
  }
}
