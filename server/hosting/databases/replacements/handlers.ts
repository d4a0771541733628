import type { databases as contract } from '@innkeeper/contract/hosting/databases/calls'
import { ReplacementSearch } from '@innkeeper/contract/hosting/databases/replacements'
import { eq, inArray, sql } from 'drizzle-orm'
import { liveRead } from '../../../kit/agents/liveRead.ts'
import type { Db } from '../../../kit/db/db.ts'
import type { Context, Handlers } from '../../../kit/http/api.ts'
import { refused } from '../../../kit/http/errors.ts'
import { checkVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import type { PlanStep } from '../../../kit/work/action.ts'
import { readSite } from '../../websites/site.ts'
import { startOn } from '../../websites/startWorkflow.ts'
import { readWebsite } from '../../websites/view.ts'
import { engineOf } from '../steps.ts'
import { databaseReplacements, databases } from '../tables.ts'
import { begunBy, chooseDatabases, keepReplacement, liveOnes } from './choose.ts'
import { puttingBack, replacing, whileClosed } from './steps.ts'
import { readReplacement, readReplacements } from './view.ts'

/** Maximum number of seconds that the search of one database may take. */
const SEARCH_S = 30
const Found = ReplacementSearch.omit({ databaseId: true, name: true })

type Calls = 'search' | 'replacements' | 'replace' | 'putBack'
export const replacementHandlers: Pick<Handlers<typeof contract>, Calls> = {
  async search({ id, how = 'text', ...wanted }, { app, audit }) {
    const chosen = await chooseDatabases(app.db, id, { how, ...wanted })
    const { from, to } = wanted
    audit.of('website', id)
    audit.after({ from, to, how, databases: chosen.map(({ name }) => name) })
    const items: ReplacementSearch[] = []
    for (const one of chosen) {
      const { serverId, id: databaseId, name, tables } = one
      const input = { ...engineOf(one), name, from, to, how, ...(tables && { tables }), seconds: SEARCH_S }
      const answer = await liveRead(app, serverId, 'database.search', input)
      items.push({ databaseId, name, ...Found.parse(answer) })
    }
    return { items, total: items.length }
  },

  async replacements({ id }, { db }) {
    await readWebsite(db, id)
    const items = await readReplacements(db, eq(databaseReplacements.websiteId, id))
    return { items, total: items.length }
  },

  async replace({ id, from, to, how = 'text', databases: some }, context) {
    const { db } = context
    const chosen = await chooseDatabases(db, id, { from, to, how, databases: some })
    const { isOpen } = await changeable(db, id)
    const wanted = { from, to, how }
    const made = await keepReplacement(context, id, wanted, chosen)
    const plan = await whileClosed(db, await readSite(db, id), isOpen, replacing(made, wanted, chosen))
    return begin(context, made, 'database.replace', plan)
  },

  async putBack({ id, version }, context) {
    const { db, audit } = context
    await db.execute(sql`select 1 from database_replacements where database_replacement_id = ${id} for update`)
    const made = await readReplacement(db, id)
    audit.before({ status: made.status })
    checkVersion(made, version, 'This replacement')
    if (made.notRevertible) throw refused(made.notRevertible)
    const { isOpen } = await changeable(db, made.websiteId)
    const now = await liveOnes(db, made.websiteId)
    const those = now.filter((one) => made.databases.some((then) => then.id === one.id))
    const plan = await whileClosed(db, await readSite(db, made.websiteId), isOpen, puttingBack(made, those))
    return begin(context, id, 'database.put-back', plan)
  },
}

async function changeable(db: Db, websiteId: number): Promise<{ isOpen: boolean }> {
  const { status, domain } = await readWebsite(db, websiteId)
  if (status !== 'active' && status !== 'suspended')
    throw refused(`${domain} is ${status}: texts can be replaced only while it is active or suspended`)
  return { isOpen: status === 'active' }
}

/** Starts a workflow on the website. It locks the website against other changes. */
async function begin(context: Context, id: number, kind: string, plan: PlanStep[]) {
  const { db, staff, audit } = context
  const { websiteId, databases: some } = await readReplacement(db, id)
  const { domain } = await readWebsite(db, websiteId)
  const workflowId = await startOn(db, { id: websiteId, domain }, kind, plan, staff)
  await begunBy(db, id, workflowId, kind === 'database.put-back' ? 'reverting' : 'replacing')
  const ids = some.map((one) => one.id)
  await db.update(databases).set({ workflowId }).where(inArray(databases.id, ids))
  const data = await readReplacement(db, id)
  audit.of('website', websiteId)
  audit.workflow(workflowId)
  audit.after(data)
  await changed(db, 'databases')
  return { data, workflowId }
}
