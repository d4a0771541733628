import type { PhpChange } from '@innkeeper/contract/hosting/phpParameters'
import { phpNames } from '@innkeeper/contract/hosting/phpRules'
import { type originVhosts as contract, MOST_AT_ONCE } from '@innkeeper/contract/net/originVhosts/calls'
import { type OriginVhost, versionOf } from '@innkeeper/contract/net/originVhosts/shapes'
import { inArray, sql } from 'drizzle-orm'
import { namesHandlers } from '../../../hosting/names/handlers.ts'
import { readFamily } from '../../../hosting/websites/family.ts'
import { websites } from '../../../hosting/websites/tables.ts'
import { removeWebsite } from '../../../hosting/websites/trash/removal.ts'
import { readWebsite } from '../../../hosting/websites/view.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import type { Context, Handlers } from '../../../kit/http/api.ts'
import { conflict, notFound, refused } from '../../../kit/http/errors.ts'
import { checkVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { readRunsOf } from '../../../machines/workflows/runs.ts'
import { addModule, listModules, listParameters } from '../phpModules.ts'
import { begin, KIND, KIND_OF_MANY } from './begin.ts'
import { added, type Change, changesNothing, choose, chooseMany, type Wanted } from './change.ts'
import { diffOfOrigin } from './diff.ts'
import { extensionsOf, extensionsOn } from './extensions.ts'
import { listOrigins } from './list.ts'
import { findApplication, readRules, setRules } from './rules.ts'
import { readOrigin, readOrigins } from './view.ts'

const kinds = [KIND, KIND_OF_MANY]
interface Whole extends Wanted {
  wildcard?: boolean | undefined
  version?: number | undefined
}

export const originVhostsHandlers: Handlers<typeof contract> = {
  list: (input, { db }) => listOrigins(db, input),
  one: ({ id }, { db }) => readOrigin(db, id),

  async create({ websiteId, ...requested }, context) {
    const now = await readOrigin(context.db, websiteId)
    if (now.own)
      throw conflict(`${now.domain} already has PHP settings of its own: change these`, {
        fields: { websiteId: 'Already has its own settings' },
        current: now,
      })
    const made = await change(context, websiteId, requested)
    context.status(201)
    return made
  },

  update: ({ id, ...requested }, context) => change(context, id, requested),
  php: ({ id, ...requested }, context) => change(context, id, requested),
  wildcard: ({ id, ...requested }, context) => change(context, id, requested),

  async remove({ id, version }, context) {
    const now = await readOrigin(context.db, id)
    if (!now.own) throw refused(`${now.domain} has no settings of its own`)
    const phpParameters: PhpChange = Object.fromEntries(
      [...phpNames, 'extensionsOn', 'extensionsOff'].map((name) => [name, null]),
    )
    return change(context, id, { phpParameters, version })
  },

  async phpOfMany({ ids, wait = false, ...requested }, context) {
    const { db, app, audit } = context
    const wanted = [...new Set(ids)]
    if (wanted.length > MOST_AT_ONCE) throw refused(`${MOST_AT_ONCE} at once`, { ids: 'Too many' })
    await hold(db, wanted)
    const changes = await chooseMany(app, db, wanted, requested, added)
    const [first, ...others] = serverByServer(changes.filter((one) => !changesNothing(one)))
    if (!first) {
      context.status(200)
      return { workflowId: null, order: [], same: changes.length }
    }
    context.status(202)
    const workflowId = await begin(context, [first, ...others], { wait })
    audit.of('website', first.before.id)
    audit.workflow(workflowId)
    audit.after({ websites: [first, ...others].map(({ before }) => before.domain), ...first.requested })
    const order = [first, ...others].map(({ before }) => before.domain)
    return { workflowId, order, same: changes.length - order.length }
  },

  rules: ({ id }, { db }) => readRules(db, id),
  findApplication: ({ id }, { app }) => findApplication(app, id),
  setRules,
  diff: ({ id, ...requested }, { app }) => diffOfOrigin(app, id, requested),
  extensions: ({ id, phpModule }, { app }) => extensionsOf(app, id, phpModule),
  serverExtensions: ({ id, phpModule }, { app }) => extensionsOn(app, id, versionOf(phpModule)),

  async ofWebsite({ id }, { db }) {
    await readWebsite(db, id)
    const family = await readFamily(db, id, sql`${websites.kind} <> 'alias'`)
    const items = await readOrigins(db, [id, ...family.map((member) => member.id)])
    return { items, total: items.length }
  },

  async runs({ id }, { db }) {
    await readOrigin(db, id)
    return readRunsOf(
      db,
      sql`kind in ${kinds} and exists (select from actions a where a.workflow_id = workflows.workflow_id
      and a.resource_type = 'website' and a.resource_id = ${id})`,
    )
  },

  modules: (_, { app, db }) => listModules(app, db),
  addModule,
  parameters: async () => listParameters(),

  async dismiss({ id }, { db, staff, audit }) {
    const [known] = await rows<{ subject: number; going: boolean }>(
      db,
      sql`select subject_id as subject, status in ('running', 'waiting') as going from workflows
        where workflow_id = ${id} and kind in ${kinds} and dismissed_at is null for update`,
    )
    if (!known) throw notFound('run', id)
    if (known.going) throw conflict('Its workflow is running: wait for its end')
    audit.of('website', known.subject)
    audit.workflow(id)
    await db.execute(
      sql`update workflows set dismissed_at = now(), dismissed_by = ${staff.name} where workflow_id = ${id}`,
    )
    await changed(db, 'originVhosts', known.subject)
  },
}

/** Changes PHP or the wildcard of one website; starts no workflow if nothing changes. */
async function change(context: Context, id: number, { wildcard, version, ...requested }: Whole) {
  const { db, app, audit, status } = context
  const now = await readOrigin(db, id)
  checkVersion(now, version, now.domain)
  const turns = wildcard !== undefined && wildcard !== now.wildcard
  const chosen = await choose(app, db, id, requested)
  const isSame = changesNothing(chosen)
  if (turns && !isSame)
    throw refused('Change PHP and the wildcard separately', { wildcard: 'Change the wildcard separately' })
  if (turns) return turn(context, now, wildcard)
  if (isSame) {
    status(200)
    return { data: now, workflowId: null }
  }
  await hold(db, [id])
  const workflowId = await begin(context, [chosen])
  audit.of('website', id)
  audit.workflow(workflowId)
  audit.before({ domain: now.domain, phpVersion: now.phpVersion, phpParameters: now.phpParameters })
  audit.after({ domain: now.domain, ...chosen.requested })
  status(202)
  return { data: await readOrigin(db, id), workflowId }
}

/** Adds or removes the wildcard, which is the alias `*.shop.example`. */
async function turn(context: Context, { id, domain }: OriginVhost, wildcard: boolean) {
  const { db, audit, status } = context
  const name = `*.${domain}`
  const begun = wildcard
    ? await namesHandlers.addAlias({ id, domain: name, mode: 'serve' }, context)
    : await removeWebsite({ id: await aliasOf(db, id, name), version: undefined, excludeActions: undefined }, context)
  audit.of('website', id)
  audit.before({ domain, wildcard: !wildcard })
  audit.after({ domain, wildcard })
  status(202)
  return { data: await readOrigin(db, id), workflowId: begun.workflowId }
}

async function aliasOf(db: Db, parentId: number, name: string): Promise<number> {
  const [found] = await rows<{ id: number }>(
    db,
    sql`select website_id as id from websites where parent_id = ${parentId} and domain = ${name} and deleted_at is null`,
  )
  if (!found) throw notFound('alias', name)
  return found.id
}

const hold = (db: Db, ids: number[]) =>
  db.select({ id: websites.id }).from(websites).where(inArray(websites.id, ids)).orderBy(websites.id).for('update')

/** Sorts changes by server, so that a failed change affects as few servers as possible. */
function serverByServer(changes: Change[]): Change[] {
  const servers = [...new Set(changes.map(({ before }) => before.server.id))]
  return servers.flatMap((server) => changes.filter(({ before }) => before.server.id === server))
}
