import type { databases as contract } from '@innkeeper/contract/hosting/databases/calls'
import { eq, sql } from 'drizzle-orm'
import type { Handlers } from '../../kit/http/api.ts'
import { refused } from '../../kit/http/errors.ts'
import { checkVersion } from '../../kit/http/version.ts'
import { type PlanStep, step } from '../../kit/work/action.ts'
import { readSite } from '../websites/site.ts'
import { asking, renewingPhp, type Site, serve } from '../websites/siteSteps.ts'
import { readWebsite } from '../websites/view.ts'
import { databaseConvert, databaseRename } from './actions.ts'
import { configSteps } from './configuration.ts'
import { collationOf } from './create.ts'
import { checkName } from './freeNames.ts'
import { readDatabase } from './read.ts'
import { begin } from './startWorkflow.ts'
import { accountStep, engineOf, GRANTS } from './steps.ts'
import { databases, type NextDatabase } from './tables.ts'
import { accountsOn } from './trash.ts'

export const changeHandlers: Pick<Handlers<typeof contract>, 'update'> = {
  async update({ id, version, name, charset, collation, tables }, context) {
    const { db, audit } = context
    await db.execute(sql`select 1 from databases where database_id = ${id} for update`)
    const database = await readDatabase(db, id)
    audit.before(database)
    checkVersion(database, version, database.name)
    if (database.status !== 'active' && database.status !== 'failed')
      throw refused(`${database.name} is ${database.status}`)
    const { status, domain } = await readWebsite(db, database.websiteId)
    if (status !== 'active' && status !== 'suspended')
      throw refused(`${domain} is ${status}: its databases can be changed only while it is active or suspended`)
    const none = 'A PostgreSQL database keeps UTF8 and C.UTF-8'
    const { engine } = database
    if (engine === 'postgresql' && tables) throw refused(none, { tables: none })
    if (engine === 'postgresql' && charset !== undefined && charset !== database.charset)
      throw refused(none, { charset: none })
    if (engine === 'postgresql' && collation !== undefined && collation !== database.collation)
      throw refused(none, { collation: none })
    const shape = {
      charset: charset ?? database.charset,
      collation: collation ?? (charset && charset !== database.charset ? collationOf(charset) : database.collation),
    }
    if (engine === 'mariadb') collationOf(shape.charset, shape.collation)
    const to = name !== undefined && name !== database.name ? name : undefined
    const reshaped = shape.charset !== database.charset || shape.collation !== database.collation || tables === true
    if (!to && !reshaped) {
      context.status(200)
      return { data: database, workflowId: null }
    }
    if (to) await checkName(db, database.serverId, to, engine)
    context.status(202)
    const next: NextDatabase = { ...(to && { name: to }), ...(reshaped && shape) }
    await db.update(databases).set({ next }).where(eq(databases.id, id))
    const on = { server: database.serverId, resource: { type: 'database', id, name: database.name } }
    const steps: PlanStep[] = reshaped
      ? // safe cast: the contract validated the character set when it was stored
        [
          step(
            databaseConvert,
            { name: database.name, ...shape, charset: shape.charset as 'utf8mb4', existing: tables ?? false },
            on,
          ),
        ]
      : []
    if (!to) return begin(context, id, 'database.change', steps)
    const site = await readSite(db, database.websiteId)
    const locked = status === 'suspended'
    const accounts = await accountsOn(db, id)
    const renaming = renewingPhp(site, [
      step(databaseRename, { ...engineOf(database), name: database.name, newName: to }, on),
      ...accounts.map(({ grants, ...account }) =>
        accountStep(
          {
            ...account,
            grants: grants.map((one) => (one.database === database.name ? { ...one, database: to } : one)),
          },
          { locked },
          GRANTS,
        ),
      ),
      ...configSteps(
        site,
        accounts.map((account) => ({ was: database.name, name: to, account })),
      ),
    ])
    return begin(context, id, 'database.change', [...steps, ...(locked ? renaming : closedDuring(site, renaming))])
  },
}

/**
 * Shows the maintenance page during the steps: the website would otherwise run without its database. A website that answered
 * before has to answer afterwards: its application may keep the name where no configuration file is known.
 */
const closedDuring = (site: Site, steps: PlanStep[]): PlanStep[] =>
  asking(site, [serve(site, 'maintenance', 'active'), ...steps, serve(site, 'active', 'maintenance')])
