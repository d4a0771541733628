import { phpNames, phpRules } from '@innkeeper/contract/hosting/phpRules'
import type { originVhosts as contract } from '@innkeeper/contract/net/originVhosts/calls'
import { moduleOf, type PhpModule, type PhpParameter, versionOf } from '@innkeeper/contract/net/originVhosts/shapes'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { App } from '../../kit/app/app.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { nameOrder } from '../../kit/db/nameOrder.ts'
import type { Handlers } from '../../kit/http/api.ts'
import { conflict, notFound } from '../../kit/http/errors.ts'
import { changed } from '../../kit/live/live.ts'
import { addPhp, phpVersionsOf } from '../../machines/servers/php.ts'
import { serverStates, servers } from '../../machines/servers/tables.ts'
import { readServer } from '../../machines/servers/view.ts'
import { phpModules } from './tables.ts'

/** All PHP versions that servers run, websites use or people have added; newest first. */
export async function listModules(_: App, db: Db): Promise<{ items: PhpModule[]; total: number }> {
  const there = await db
    .select({ id: servers.id, name: servers.name, services: serverStates.services })
    .from(servers)
    .innerJoin(serverStates, eq(serverStates.serverId, servers.id))
    .where(and(isNull(servers.deletedAt)))
    .orderBy(nameOrder(servers.name))
  const used = await rows<{ phpVersion: string; n: number }>(
    db,
    sql`select php_version as "phpVersion", count(*)::int as n from websites
      where deleted_at is null and kind <> 'alias' group by php_version`,
  )
  const named = await db.select({ phpVersion: phpModules.phpVersion }).from(phpModules)
  const running = there.map(({ services, ...server }) => ({ ...server, versions: phpVersionsOf({ services }) }))
  const versions = new Set([
    ...running.flatMap((server) => server.versions),
    ...[...used, ...named].map(({ phpVersion }) => phpVersion),
  ])
  const items = [...versions].sort(newestFirst).map((phpVersion) => ({
    name: moduleOf(phpVersion),
    phpVersion,
    servers: running.flatMap(({ id, name, versions: has }) => (has.includes(phpVersion) ? [{ id, name }] : [])),
    websites: used.find((one) => one.phpVersion === phpVersion)?.n ?? 0,
    added: named.some((one) => one.phpVersion === phpVersion),
  }))
  return { items, total: items.length }
}

const newestFirst = (a: string, b: string) => b.localeCompare(a, 'en', { numeric: true })

/** Adds a PHP version and starts its installation on these servers. 409 for a known version without servers. */
export const addModule: Handlers<typeof contract>['addModule'] = async ({ name, servers: on = [] }, context) => {
  const { app, db, staff, audit } = context
  const phpVersion = versionOf(name)
  const [made] = await db
    .insert(phpModules)
    .values({ phpVersion, createdBy: staff.id })
    .onConflictDoNothing()
    .returning()
  if (!made && !on.length)
    throw conflict(`${name} already exists: choose servers to install it on`, {
      fields: { name: 'Exists already' },
    })
  const workflowIds: number[] = []
  for (const id of [...new Set(on)])
    workflowIds.push(await addPhp(app, db, await readServer(app, db, id), phpVersion, staff))
  await changed(db, 'originVhosts')
  const data = (await listModules(app, db)).items.find((one) => one.name === name)
  if (!data) throw notFound('PHP module', name)
  audit.of('php-module', name)
  audit.after({ name, servers: on })
  return { data, workflowIds }
}

/** The PHP parameters that websites may set, in the form of the contract. */
export function listParameters(): { items: PhpParameter[]; total: number } {
  const items = phpNames.map((name) => {
    const { type, hint, default: usual, ...more } = phpRules[name]
    return {
      name,
      type,
      hint,
      default: usual,
      min: 'min' in more ? more.min : null,
      max: 'max' in more ? more.max : null,
    }
  })
  return { items, total: items.length }
}
