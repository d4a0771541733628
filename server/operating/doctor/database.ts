import { sql } from 'drizzle-orm'
import { STALE_S } from '../../kit/agents/online.ts'
import { secretsUnder } from '../../kit/app/secrets.ts'
import { commandLine } from '../../kit/app/serverFolder.ts'
import type { Settings } from '../../kit/app/settings.ts'
import { type Database, type Db, rows } from '../../kit/db/db.ts'
import { reasonOf } from '../../kit/db/failures.ts'
import { checkProgram, schemaOf, schemas } from '../../kit/db/migrations.ts'
import { type Finding, note, ok, wrong } from './finding.ts'

/** Connections of a node: the pool, shared reads and LISTEN. */
const CONNECTIONS = 22
const OLDEST = 150_000
const CLOCK_S = 2

interface Facts {
  role: string
  superuser: boolean
  version: number
  encoding: string
  seconds: number
  connections: number
  isReplica: boolean
}

export async function databaseFindings(
  db: Db,
  settings: Settings,
  wording: (name: string) => string,
): Promise<Finding[]> {
  const [facts] = await rows<Facts>(
    db,
    sql`select current_user as role, (select rolsuper from pg_roles where rolname = current_user) as superuser,
      current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding,
      extract(epoch from clock_timestamp())::float8 as seconds, current_setting('max_connections')::int as connections,
      pg_is_in_recovery() as "isReplica"`,
  )
  if (!facts) throw new Error('PostgreSQL answered nothing')
  const findings = [...serverFindings(facts), clockFinding(facts.seconds)]
  const schema = await schemaOf(db)
  if (schema === undefined)
    return [...findings, note('schema', 'the database is empty', `${commandLine('migrate')}, or the first start`)]
  return [
    ...findings,
    await schemaFinding(db, schema),
    ...(await roleFindings(db)),
    await keyFinding(db, settings, wording),
    await silentFinding(db),
  ]
}

function serverFindings({ role, superuser, version, encoding, connections, isReplica }: Facts): Finding[] {
  const shown = `PostgreSQL ${Math.floor(version / 10_000)} as ${role}`
  return [
    version < OLDEST
      ? wrong('database', `${shown} is too old`, 'update to PostgreSQL 15 or newer')
      : ok('database', shown),
    ...(isReplica
      ? [wrong('database', 'is a standby, which cannot be written', 'name the primary in DATABASE_URL')]
      : []),
    ...(encoding === 'UTF8'
      ? []
      : [wrong('database', `stores ${encoding}`, 'make the database with encoding UTF8: innkeeper setup --print-sql')]),
    ...(superuser ? [note('role', `${role} is a superuser`, 'a role of its own: innkeeper setup --print-sql')] : []),
    ...(connections < 2 * CONNECTIONS
      ? [
          note(
            'database',
            `allows ${connections} connections`,
            `each node uses up to ${CONNECTIONS}: raise max_connections`,
          ),
        ]
      : []),
  ]
}

/** Whether the standby of DATABASE_REPLICA_URL answers reads. */
export async function replicaFindings({ replica }: Database): Promise<Finding[]> {
  if (!replica) return []
  await replica.read(
    (db) => db.execute(sql`select 1`),
    () => false,
  )
  const { problem } = replica.state()
  return problem
    ? [
        wrong(
          'standby',
          problem.reason,
          'DATABASE_REPLICA_URL names a standby of the same PostgreSQL; the role is that of DATABASE_URL',
        ),
      ]
    : [ok('standby', 'answers lists')]
}

function clockFinding(seconds: number): Finding {
  const off = Math.round(seconds - Date.now() / 1000)
  return Math.abs(off) > CLOCK_S
    ? wrong(
        'clock',
        `differs by ${off} s from the clock of PostgreSQL`,
        'apt install systemd-timesyncd, on both machines',
      )
    : ok('clock', 'is that of PostgreSQL')
}

async function schemaFinding(db: Db, schema: number): Promise<Finding> {
  const newest = schemas().at(-1) ?? 0
  try {
    const hint = await checkProgram(db)
    if (hint) return note('schema', hint, 'install the same version on every node')
  } catch (error) {
    return wrong('schema', reasonOf(error), 'install that version here')
  }
  return schema < newest
    ? note('schema', 'is of an older Innkeeper', `${commandLine('migrate', '--plan')} says what the next start changes`)
    : ok('schema', 'is of this version')
}

/** Whether the role that serves calls could change the action log. */
async function roleFindings(db: Db): Promise<Finding[]> {
  const [log] = await rows<{ may: boolean }>(
    db,
    sql`select has_table_privilege('action_logs', 'update') or has_table_privilege('action_logs', 'delete') as may`,
  )
  return log?.may
    ? [note('role', 'may change the action log', 'DATABASE_OWNER_URL: another role that owns the tables')]
    : [ok('role', 'cannot change the action log')]
}

async function keyFinding(db: Db, { key }: Settings, wording: (name: string) => string): Promise<Finding> {
  try {
    await secretsUnder(key, wording).currentKey(db)
    return ok('key', 'is that of this database')
  } catch (error) {
    return wrong(
      'key',
      reasonOf(error).replaceAll('\n', ' '),
      'put the right key into /etc/innkeeper/innkeeper.key, or INNKEEPER_KEY',
    )
  }
}

async function silentFinding(db: Db): Promise<Finding> {
  const [count] = await rows<{ all: number; silent: number }>(
    db,
    sql`select count(*)::int as all, count(*) filter (where s.last_seen_at < now() - make_interval(secs => ${STALE_S}::int))::int as silent
      from servers join server_states s using (server_id) where servers.deleted_at is null`,
  )
  const { all = 0, silent = 0 } = count ?? {}
  if (!all) return ok('agents', 'no server has been added yet')
  return silent
    ? wrong(
        'agents',
        `${silent} of ${all} are silent`,
        'on the server: systemctl status innkeeper-agent, and whether it reaches the agents’ port',
      )
    : ok('agents', `all ${all} report`)
}
