import { sql } from 'drizzle-orm'
import { engineSteps } from '../../../hosting/databases/steps.ts'
import { offlineBefore } from '../../../kit/agents/online.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import type { Context } from '../../../kit/http/api.ts'
import { refused } from '../../../kit/http/errors.ts'
import { type PlanStep, step } from '../../../kit/work/action.ts'
import { start } from '../../../kit/work/workflow.ts'
import { drillRun, drillServe } from '../actions.ts'
import { addTasks } from '../record.ts'
import {
  type Access,
  accessTo,
  checkUnlocked,
  localOf,
  onRepository,
  remoteOf,
  withProgram,
} from '../repositories/access.ts'
import { storedBackup } from './view.ts'

/** Starts a restore of a backup as a test, which proves whether the backup can be restored. */
export async function startDrill(db: Context['db'], id: number, by: { id: number | null; name: string }) {
  const backup = await storedBackup(db, id)
  const parts = backup.parts.flatMap(({ snapshot, files, bytes, resource, name }) =>
    snapshot ? [{ snapshot, files, bytes, ...(resource === 'mysql' && { dump: name }) }] : [],
  )
  const some = backup.parts.some(({ snapshot, resource }) => snapshot && resource !== 'settings')
  if (!some || backup.leaving) throw refused('This backup has nothing that can be restored')
  const access = await accessTo(db, backup.repositoryId)
  await checkUnlocked(db, [access], 'restore')
  const workflowId = await start(db, {
    ...{ kind: 'backup.drill', holder: by.name, startedById: by.id },
    subject: { type: 'backup', id, name: backup.domain },
    plan: [
      step(drillRun, { ...localOf(access), parts }, onRepository(access)),
      ...(await onMachine(db, backup, access)),
    ],
    locks: [`drill-of-backup:${id}`],
  })
  await addTasks(db, [
    {
      ...{ type: 'drill', resource: 'website', subject: backup.domain, backupId: id },
      ...{ repositoryId: access.id, websiteId: backup.websiteId, startedBy: by.name, workflowId },
    },
  ])
  return workflowId
}

/**
 * Steps on the drill machine of the backup server: load the databases and request the page. No steps if there is no
 * such machine, if it is offline, or if the website is hosted on it.
 */
async function onMachine(
  db: Db,
  backup: Awaited<ReturnType<typeof storedBackup>>,
  access: Access,
): Promise<PlanStep[]> {
  const files = backup.parts.find(({ resource, snapshot }) => resource === 'website' && snapshot)?.snapshot
  const [machine] = await rows<{ id: number; name: string }>(
    db,
    sql`select s.server_id as id, s.name from backup_servers b join servers s on s.server_id = b.drill_server_id
      join server_states t on t.server_id = s.server_id and t.last_seen_at > ${offlineBefore}
      where b.backup_server_id = ${access.backupServer.id} and s.deleted_at is null and s.status = 'up'
        and s.server_id <> ${backup.serverId}`,
  )
  if (!files || !machine) return []
  const { website, databases } = backup.configuration
  const engineOf = new Map(databases.map(({ databaseId, engine = 'mariadb' }) => [databaseId, engine]))
  const dumps = backup.parts.flatMap(({ resource, resourceId, name, snapshot }) =>
    resource === 'mysql' && snapshot
      ? [{ snapshot, name, ...(engineOf.get(resourceId) === 'postgresql' && { engine: 'postgresql' as const }) }]
      : [],
  )
  const engines = [...new Set(dumps.map(({ engine = 'mariadb' as const }) => engine))]
  const documentRoot = website.documentRoot === website.path ? '' : website.documentRoot.slice(website.path.length + 1)
  return [
    withProgram(machine),
    ...(await Promise.all(engines.map((engine) => engineSteps(db, machine.id, engine)))).flat(),
    step(
      drillServe,
      {
        ...{ ...remoteOf(access), snapshot: files, dumps, documentRoot },
        ...{ domain: backup.domain, phpVersion: website.phpVersion },
      },
      { server: machine.id, resource: { type: 'drilled-website', id: backup.websiteId, name: backup.domain } },
    ),
  ]
}
