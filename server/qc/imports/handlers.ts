import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { qcSources as contract, Identity, Source } from '@innkeeper/contract/qc/sources'
import { eq, type SQL, sql } from 'drizzle-orm'
import { rowsByIds } from '../../kit/db/byIds.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { inOrder, likeText, pageKeys } from '../../kit/db/page.ts'
import type { Context, Handlers } from '../../kit/http/api.ts'
import { notFound, Refusal } from '../../kit/http/errors.ts'
import { checkVersion, risen } from '../../kit/http/version.ts'
import { changed } from '../../kit/live/live.ts'
import { checkPeople } from '../conversations/queue.ts'
import { personOf, withInstants } from '../conversations/view.ts'
import { freeName, given } from '../settings/names.ts'
import { importItems, keepRun } from './run.ts'
import { readLines } from './source.ts'
import { qcIdentities, qcSources } from './tables.ts'

const unique = { table: 'qc_sources', key: 'qc_source_id', noun: 'source', live: sql`deleted_at is null` }
const secretOf = (id: number) => `qc source ${id}`
/** Seconds by which the clock of a sender may differ. */
const SKEW = 300

export const sourceHandlers: Handlers<typeof contract> = {
  async sources(input, { db }) {
    const order = { column: sql`lower(${qcSources.name})`, type: 'text', direction: 'ASC' } as const
    const where = [sql`${qcSources.deletedAt} is null`]
    const { ids, ...page } = await pageKeys(db, input, { from: sql`${qcSources}`, where, key: qcSources.id, order })
    return { items: await readSources(db, ids), ...page }
  },

  async createSource({ name }, { db, staff, app, audit }) {
    await freeName(db, unique, name)
    const [made] = await db.insert(qcSources).values({ name, createdBy: staff.id }).returning({ id: qcSources.id })
    const id = made!.id // one inserted row returns one row
    const key = randomBytes(32).toString('base64url')
    await app.secrets.write(db, secretOf(id), key)
    audit.after({ id, name })
    await changed(db, 'qc')
    return { id, name, key }
  },

  async updateSource({ id, version, ...fields }, context) {
    const { db, audit } = context
    const before = await holdSource(context, id)
    audit.before(before)
    checkVersion(before, version, before.name)
    if (fields.name) await freeName(db, unique, fields.name, id)
    await db
      .update(qcSources)
      .set({ ...given(fields), ...risen })
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

  async importSigned({ id, time, signature, content }, { db, now, app, log, lastly }) {
    const key = await app.secrets.read(db, secretOf(id))
    const isLate = Math.abs(now.getTime() / 1000 - time) > SKEW
    // the signature covers the whole body, so it is read before the first item is believed
    const chunks: Uint8Array[] = []
    for await (const chunk of content) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const digest = createHash('sha256').update(body).digest('hex')
    const expected = createHmac('sha256', key ?? randomBytes(32))
      .update(`${time}.${digest}`)
      .digest()
    const sent = Buffer.from(signature, 'hex')
    if (!key || isLate || sent.length !== expected.length || !timingSafeEqual(expected, sent))
      throw new Refusal(401, { code: 'signature', message: 'The signature does not fit source, time and body' })
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
    if (input.search)
      where.push(sql`lower(${qcIdentities.name} || ' ' || ${qcIdentities.identity}) like ${likeText(input.search)}`)
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
      .set({ userId, ...risen })
      .where(eq(qcIdentities.id, id))
    await follow(db, id, userId)
    const after = await readIdentity(db, id)
    audit.after(after)
    await changed(db, 'qc')
    return after
  },
}

/** Conversations of the agent that are there already. Reviews keep whom they are about. */
async function follow(db: Db, id: number, userId: number | null): Promise<void> {
  await db.execute(sql`update qc_messages set user_id = ${userId} where identity_id = ${id}`)
  await db.execute(sql`update qc_conversations c set agent_ids = coalesce(a.ids, '{}'), agent_id = a.ids[1],
      department_id = (select department_id from users u where u.user_id = a.ids[1])
    from (select t.id, (select array_agg(user_id order by n desc, user_id) from (select user_id, count(*) as n from qc_messages
          where conversation_id = t.id and user_id is not null group by user_id) as by_user) as ids
        from (select distinct conversation_id as id from qc_messages where identity_id = ${id}) as t) as a
    where c.qc_conversation_id = a.id`)
}

async function holdSource({ db }: Context, id: number): Promise<Source> {
  await rows(db, sql`select from qc_sources where qc_source_id = ${id} for update`)
  return readSource(db, id)
}

const selectSources = rowsByIds<Source>(
  (
    isWanted,
  ) => sql`select s.qc_source_id as id, s.version, s.created_at as "createdAt", s.updated_at as "updatedAt", s.name,
    s.is_active as "isActive", s.last_import_at as "lastImportAt",
    (select count(*)::int from (select from qc_conversations c where c.source_id = s.qc_source_id limit 10000) as bounded) as conversations,
    (select count(*)::int from qc_identities i where i.source_id = s.qc_source_id and i.user_id is null) as "unknownAgents",
    (select coalesce(json_agg(json_build_object('id', r.qc_import_run_id, 'sourceId', r.source_id, 'via', r.via,
        'startedAt', r.started_at, 'endedAt', r.ended_at, 'lines', r.lines, 'added', r.added, 'changed', r.changed,
        'unchanged', r.unchanged, 'refused', r.refused, 'problems', r.problems) order by r.qc_import_run_id desc), '[]'::json)
      from (select * from qc_import_runs where source_id = s.qc_source_id order by qc_import_run_id desc limit 10) as r) as runs
  from qc_sources s where ${isWanted(sql`s.qc_source_id`)} and s.deleted_at is null`,
)
const readSources = async (db: Db, ids: number[]) =>
  inOrder(ids, await selectSources(db, ids)).map((row) => ({
    ...withInstants(row, ['createdAt', 'updatedAt', 'lastImportAt']),
    runs: row.runs.map((run) => withInstants(run, ['startedAt', 'endedAt'])),
  }))

async function readSource(db: Db, id: number): Promise<Source> {
  const [source] = await readSources(db, [id])
  if (!source) throw notFound('source', id)
  return source
}

const selectIdentities = rowsByIds<Identity>(
  (isWanted) => sql`select i.qc_identity_id as id, i.version, i.created_at as "createdAt", i.updated_at as "updatedAt",
    i.source_id as "sourceId", s.name as "sourceName", i.identity, i.name, ${personOf('i.user_id')} as "user", i.seen_at as "seenAt"
  from qc_identities i join qc_sources s on s.qc_source_id = i.source_id where ${isWanted(sql`i.qc_identity_id`)}`,
)
const readIdentities = async (db: Db, ids: number[]) =>
  inOrder(ids, await selectIdentities(db, ids)).map((row) => withInstants(row, ['createdAt', 'updatedAt', 'seenAt']))

async function readIdentity(db: Db, id: number): Promise<Identity> {
  const [identity] = await readIdentities(db, [id])
  if (!identity) throw notFound('agent', id)
  return identity
}
