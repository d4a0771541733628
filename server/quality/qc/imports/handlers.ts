import { randomBytes } from 'node:crypto'
import type { Source } from '@innkeeper/contract/quality/qc/sourceShapes'
import type { qcSources as contract } from '@innkeeper/contract/quality/qc/sources'
import { eq, type SQL, sql } from 'drizzle-orm'
import { departmentOn } from '../../../access/users/departmentOn.ts'
import { checkPeople } from '../../../access/users/exist.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { given } from '../../../kit/db/given.ts'
import { contains, pageKeys } from '../../../kit/db/page.ts'
import type { Context, Handlers } from '../../../kit/http/api.ts'
import { Refusal, refused } from '../../../kit/http/errors.ts'
import { checkVersion, nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { freeName } from '../settings/names.ts'
import { adapterOf, pull } from './pull.ts'
import { importItems, keepRun, placeOf } from './run.ts'
import { readSigned } from './signed.ts'
import { readLines } from './source.ts'
import { qcIdentities, qcSources, qcImportRuns as runs } from './tables.ts'
import { readIdentities, readIdentity, readRuns, readSource, readSources, secretOf, secretOfHelpDesk } from './view.ts'

const unique = { table: 'qc_sources', key: 'qc_source_id', noun: 'source', live: sql`deleted_at is null` }
const hostOf = (url = '') => (url ? new URL(url).host : '')

export const sourceHandlers: Handlers<typeof contract> = {
  async sources(input, { db }) {
    const order = { column: sql`lower(${qcSources.name})`, type: 'text', direction: 'ASC' } as const
    const where = [sql`${qcSources.deletedAt} is null`]
    const { ids, ...page } = await pageKeys(db, input, { from: sql`${qcSources}`, where, key: qcSources.id, order })
    return { items: await readSources(db, ids), ...page }
  },

  async createSource({ name, type = 'json', secret, ...fields }, { db, staff, app, audit }) {
    const config = stated(fields.config)
    if (type !== 'json') adapterOf({ type, config })
    await freeName(db, unique, name)
    const [made] = await db
      .insert(qcSources)
      .values({ name, type, ...given(fields), config, createdBy: staff.id })
      .returning({ id: qcSources.id })
    const id = made!.id // one inserted row returns one row
    const key = randomBytes(32).toString('base64url')
    await app.secrets.write(db, secretOf(id), key)
    if (secret) await app.secrets.write(db, secretOfHelpDesk(id), secret)
    audit.after({ id, name, type, config })
    await changed(db, 'qc')
    return { id, name, key }
  },

  async updateSource({ id, version, secret, config, ...fields }, context) {
    const { db, audit, app } = context
    const before = await holdSource(context, id)
    audit.before(before)
    checkVersion(before, version, before.name)
    if (fields.name) await freeName(db, unique, fields.name, id)
    const wanted = config && stated(config)
    if (wanted && before.type !== 'json') adapterOf({ type: before.type, config: wanted })
    // another help desk, queue or account is read from the beginning
    const isOther = wanted !== undefined && placeOf({ ...before, config: wanted }) !== placeOf(before)
    // a stored password is sent only to the host for which it was entered
    if (wanted && !secret && before.type !== 'json' && hostOf(wanted.url) !== hostOf(before.config.url))
      throw refused('Another help desk needs its own password', { secret: 'Required with another address' })
    if (secret) await app.secrets.write(db, secretOfHelpDesk(id), secret)
    await db
      .update(qcSources)
      .set({
        ...given(fields),
        ...(wanted && { config: wanted }),
        ...(isOther && { cursor: null, unread: [] }),
        ...nextVersion,
      })
      .where(eq(qcSources.id, id))
    const after = await readSource(db, id)
    audit.after(after)
    await changed(db, 'qc')
    return after
  },

  async renewKey({ id }, context) {
    const source = await holdSource(context, id)
    context.audit.before(source)
    const key = randomBytes(32).toString('base64url')
    await context.app.secrets.write(context.db, secretOf(id), key)
    context.audit.after(source)
    return { key }
  },

  async pullSource({ id }, { log, staff, app, lastly }) {
    const made = await pull(app, log, id, staff.id)
    return lastly((tx) => keepRun(tx, made))
  },

  async runs({ id, ...input }, { db }) {
    await readSource(db, id)
    const order = { column: runs.startedAt, type: 'instant', direction: 'DESC' } as const
    const where = [sql`${runs.sourceId} = ${id}`]
    const { ids, ...page } = await pageKeys(db, input, { from: sql`${runs}`, where, key: runs.id, order })
    return { items: await readRuns(db, ids), ...page }
  },

  async importFile({ id, content }, { db, staff, log, lastly }) {
    await readSource(db, id)
    const made = await importItems(db, log, {
      items: readLines(content),
      sourceId: id,
      via: 'file',
      startedBy: staff.id,
    })
    return lastly((tx) => keepRun(tx, made))
  },

  async importSigned({ id, content, ...signed }, { db, now, app, log, lastly, request }) {
    const key = await app.secrets.read(db, secretOf(id))
    const body = await readSigned(content, { ...signed, key, now, ip: request.ip })
    const { isActive } = await readSource(db, id)
    if (!isActive) throw new Refusal(403, { code: 'off', message: 'The source is turned off' })
    const items = readLines(
      (async function* () {
        yield body
      })(),
    )
    const made = await importItems(db, log, { items, sourceId: id, via: 'http', startedBy: null })
    return lastly((tx) => keepRun(tx, made))
  },

  async identities(input, { db }) {
    const where: SQL[] = []
    if (input.search) where.push(contains(sql`${qcIdentities.name} || ' ' || ${qcIdentities.identity}`, input.search))
    if (input.unknown) where.push(sql`(${qcIdentities.userId} is null) = ${input.unknown === 'true'}`)
    const order = { column: sql`lower(${qcIdentities.name})`, type: 'text', direction: 'ASC' } as const
    const { ids, ...page } = await pageKeys(db, input, {
      from: sql`${qcIdentities}`,
      where,
      key: qcIdentities.id,
      order,
    })
    return { items: await readIdentities(db, ids), ...page }
  },

  async mapIdentity({ id, userId, version }, { db, audit }) {
    await rows(db, sql`select from qc_identities where qc_identity_id = ${id} for update`)
    const before = await readIdentity(db, id)
    audit.before(before)
    checkVersion(before, version, before.name)
    if (userId !== null) await checkPeople(db, [userId], 'userId')
    await db
      .update(qcIdentities)
      .set({ userId, ...nextVersion })
      .where(eq(qcIdentities.id, id))
    await follow(db, id, userId)
    const after = await readIdentity(db, id)
    audit.after(after)
    await changed(db, 'qc')
    return after
  },
}

/** The settings that are not empty. */
const stated = (config: Record<string, string | undefined> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(config).flatMap(([key, value]) => (value ? [[key, value]] : [])))

/** Updates imported conversations after an agent was mapped to a person. Reviews keep their agent. */
async function follow(db: Db, id: number, userId: number | null): Promise<void> {
  await db.execute(sql`update qc_messages set user_id = ${userId} where identity_id = ${id}`)
  await db.execute(sql`update qc_conversations c set agent_ids = coalesce(a.ids, '{}'), agent_id = a.ids[1],
      department_id = ${departmentOn(sql`a.ids[1]`, sql`c.last_at`)}
    from (select t.id, (select array_agg(user_id order by n desc, user_id) from (select user_id, count(*) as n from qc_messages
          where conversation_id = t.id and user_id is not null group by user_id) as by_user) as ids
        from (select distinct conversation_id as id from qc_messages where identity_id = ${id}) as t) as a
    where c.qc_conversation_id = a.id`)
  await db.execute(sql`update qc_comments m set about_id = c.agent_id from qc_conversations c
    where c.qc_conversation_id = m.conversation_id and m.about_id is null and c.agent_id is not null
      and c.qc_conversation_id in (select conversation_id from qc_messages where identity_id = ${id})`)
}

async function holdSource({ db }: Context, id: number): Promise<Source> {
  await rows(db, sql`select from qc_sources where qc_source_id = ${id} for update`)
  return readSource(db, id)
}
