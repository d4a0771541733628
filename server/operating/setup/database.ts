import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'

interface DatabaseUrls {
  DATABASE_URL: string
  DATABASE_OWNER_URL: string
}

const newPassword = () => randomBytes(24).toString('base64url')

/**
 * The statements that make both roles and the database; psql runs them, also a second time. `owner` owns the tables, so that
 * the role of the running services cannot change the action log.
 */
const statements = (owner: string, serving: string): string => `\\set ON_ERROR_STOP on
select 'create role innkeeper_owner login' where not exists (select from pg_roles where rolname = 'innkeeper_owner') \\gexec
select 'create role innkeeper login' where not exists (select from pg_roles where rolname = 'innkeeper') \\gexec
alter role innkeeper_owner password '${owner}';
alter role innkeeper password '${serving}';
select 'create database innkeeper owner innkeeper_owner encoding ''UTF8'' lc_collate ''C.UTF-8'' lc_ctype ''C.UTF-8'' template template0'
  where not exists (select from pg_database where datname = 'innkeeper') \\gexec
revoke all on database innkeeper from public;
grant connect on database innkeeper to innkeeper;
`

/** Both addresses of the database that `statements` makes. */
const urlsOf = (owner: string, serving: string, place: string): DatabaseUrls => ({
  DATABASE_URL: `postgres://innkeeper:${serving}@${place}/innkeeper`,
  DATABASE_OWNER_URL: `postgres://innkeeper_owner:${owner}@${place}/innkeeper`,
})

/** Makes the roles and the database in the PostgreSQL of this machine. Throws with the reason of psql. */
export function makeLocalDatabase(port = 5432): DatabaseUrls {
  if (!existsSync('/usr/bin/psql'))
    throw new Error(
      'There is no PostgreSQL on this machine: apt install postgresql, or name one with --database postgres://…',
    )
  const [owner, serving] = [newPassword(), newPassword()]
  const argv = ['-u', 'postgres', '--', 'psql', '--no-psqlrc', '--quiet', '--tuples-only', `--port=${port}`, 'postgres']
  const ran = spawnSync('runuser', argv, { input: statements(owner, serving), encoding: 'utf8', cwd: '/' })
  if (ran.status !== 0) throw new Error(`PostgreSQL refused: ${(ran.stderr || ran.error?.message || '').trim()}`)
  return urlsOf(owner, serving, `127.0.0.1:${port}`)
}

/** What an administrator of a PostgreSQL elsewhere runs there, and the options for `innkeeper setup` afterwards. */
export function printedStatements(): string {
  const [owner, serving] = [newPassword(), newPassword()]
  const urls = urlsOf(owner, serving, 'db.example.com:5432')
  return `-- psql as a superuser on the machine of PostgreSQL:
${statements(owner, serving)}
-- then here, with its own name instead of db.example.com:
--   innkeeper setup --database '${urls.DATABASE_URL}' \\
--     --database-owner '${urls.DATABASE_OWNER_URL}'`
}
