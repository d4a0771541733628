import type { Identity, ImportRun, Source } from '@innkeeper/contract/quality/qc/sourceShapes'
import { sql } from 'drizzle-orm'
import { rowsByIds } from '../../../kit/db/byIds.ts'
import { withInstants } from '../../../kit/db/columns.ts'
import type { Db } from '../../../kit/db/db.ts'
import { inOrder } from '../../../kit/db/page.ts'
import { personOf } from '../../../kit/db/people.ts'
import { notFound } from '../../../kit/http/errors.ts'

/** Names of secrets: the key that signs imports sent to Innkeeper, and below the password for the help desk. */
export const secretOf = (id: number) => `qc source ${id}`
export const secretOfHelpDesk = (id: number) => `qc help desk ${id}`

const selectSources = rowsByIds<Source>(
  (
    isWanted,
  ) => sql`select s.qc_source_id as id, s.version, s.created_at as "createdAt", s.updated_at as "updatedAt", s.name,
    s.type, s.config, s.cursor, s.unread, s.every_minutes as "everyMinutes", s.is_active as "isActive",
    s.last_import_at as "lastImportAt", s.last_pull_at as "lastPullAt",
    (select count(*)::int from (select from qc_conversations c where c.source_id = s.qc_source_id limit 10000) as bounded) as conversations,
    (select count(*)::int from qc_identities i where i.source_id = s.qc_source_id and i.user_id is null) as "unknownAgents",
    (select coalesce(json_agg(json_build_object('id', r.qc_import_run_id, 'sourceId', r.source_id, 'via', r.via,
        'startedAt', r.started_at, 'endedAt', r.ended_at, 'lines', r.lines, 'added', r.added, 'changed', r.changed,
        'unchanged', r.unchanged, 'refused', r.refused, 'problems', r.problems, 'error', r.error) order by r.qc_import_run_id desc), '[]'::json)
      from (select * from qc_import_runs where source_id = s.qc_source_id order by qc_import_run_id desc limit 10) as r) as runs
  from qc_sources s where ${isWanted(sql`s.qc_source_id`)} and s.deleted_at is null`,
)
export const readSources = async (db: Db, ids: number[]) =>
  inOrder(ids, await selectSources(db, ids)).map((row) => ({
    ...withInstants(row, ['createdAt', 'updatedAt', 'lastImportAt', 'lastPullAt']),
    runs: row.runs.map((run) => withInstants(run, ['startedAt', 'endedAt'])),
  }))

export async function readSource(db: Db, id: number): Promise<Source> {
  const [source] = await readSources(db, [id])
  if (!source) throw notFound('source', id)
  return source
}

const selectRuns = rowsByIds<ImportRun>(
  (
    isWanted,
  ) => sql`select r.qc_import_run_id as id, r.source_id as "sourceId", r.via, r.started_at as "startedAt", r.ended_at as "endedAt",
    r.lines, r.added, r.changed, r.unchanged, r.refused, r.problems, r.error from qc_import_runs r where ${isWanted(sql`r.qc_import_run_id`)}`,
)
export const readRuns = async (db: Db, ids: number[]) =>
  inOrder(ids, await selectRuns(db, ids)).map((row) => withInstants(row, ['startedAt', 'endedAt']))

const selectIdentities = rowsByIds<Identity>(
  (isWanted) => sql`select i.qc_identity_id as id, i.version, i.created_at as "createdAt", i.updated_at as "updatedAt",
    i.source_id as "sourceId", s.name as "sourceName", i.identity, i.name, ${personOf('i.user_id')} as "user", i.seen_at as "seenAt"
  from qc_identities i join qc_sources s on s.qc_source_id = i.source_id where ${isWanted(sql`i.qc_identity_id`)}`,
)
export const readIdentities = async (db: Db, ids: number[]) =>
  inOrder(ids, await selectIdentities(db, ids)).map((row) => withInstants(row, ['createdAt', 'updatedAt', 'seenAt']))

export async function readIdentity(db: Db, id: number): Promise<Identity> {
  const [identity] = await readIdentities(db, [id])
  if (!identity) throw notFound('agent', id)
  return identity
}
