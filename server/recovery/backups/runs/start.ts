import type { BackupKind } from '@innkeeper/contract/recovery/backups/values'
import { and, eq, isNull } from 'drizzle-orm'
import { readAccounts } from '../../../hosting/databases/read.ts'
import { engineOf } from '../../../hosting/databases/steps.ts'
import { databases, databaseUsers } from '../../../hosting/databases/tables.ts'
import { readSite } from '../../../hosting/websites/site.ts'
import type { Site } from '../../../hosting/websites/siteSteps.ts'
import { readWebsite } from '../../../hosting/websites/view.ts'
import type { App } from '../../../kit/app/app.ts'
import type { Db } from '../../../kit/db/db.ts'
import { refused } from '../../../kit/http/errors.ts'
import { changed } from '../../../kit/live/live.ts'
import { type PlanStep, step } from '../../../kit/work/action.ts'
import { start } from '../../../kit/work/workflow.ts'
import { databaseRun, filesRun } from '../actions.ts'
import type { Configuration } from '../configuration.ts'
import { mailOf, mailSteps } from '../mail/keep.ts'
import { checkNotPaused } from '../pauses/pause.ts'
import { addTasks } from '../record.ts'
import { checkUnlocked, remoteOf, withProgram } from '../repositories/access.ts'
import { preparing, repositoryFor } from '../repositories/newRepository.ts'
import { secretOf, settingsOf, settingsStep } from '../settings/keep.ts'
import { backups } from '../tables.ts'
import { checkNotExchanged } from './exchange.ts'
import { placeOf } from './place.ts'

export interface Wanted {
  websiteId: number
  backupServerId: number
  kind: BackupKind
  mode: 'instant' | 'scheduled'
  excludes: string[]
  held?: boolean
  scheduleId?: number
  /** Maximum number of kilobytes per second that restic sends. */
  limit?: number
}

/**
 * Starts a backup in the caller's transaction. Its workflow does not lock the website, so that other changes continue.
 */
export async function startBackup(app: App, db: Db, wanted: Wanted, by: { id: number | null; name: string }) {
  const { websiteId, kind, mode, excludes, held = false, scheduleId, limit } = wanted
  const website = await readWebsite(db, websiteId)
  if (website.kind === 'alias') throw refused(`${website.domain} is an alias`, { websiteId: 'Is an alias' })
  if (website.status !== 'active' && website.status !== 'suspended')
    throw refused(`${website.domain} is ${website.status}: it can be backed up only while it is active or suspended`, {
      websiteId: `Is ${website.status}`,
    })
  const site = await readSite(db, websiteId)
  await checkNotExchanged(db, site)
  if (mode === 'instant') await checkNotPaused(db, site.server.id) // scheduled backups wait for the end of the pause
  const access = await repositoryFor(app, db, site.server.id, wanted.backupServerId, by.id)
  await checkUnlocked(db, [access], 'backup')
  const full = kind === 'full' ? await settingsOf(app, db, site) : undefined
  const mail = full ? await mailOf(db, site.id) : []
  const configuration = {
    ...(await configurationOf(db, site)),
    ...(full && { settings: full.settings, tooLarge: full.tooLarge }),
    ...(mail.length && { mail }),
  }
  const files = kind !== 'mysql'
  const dumped = kind === 'file' ? [] : configuration.databases
  if (!files && !dumped.length) throw refused(`${site.domain} has no database`, { kind: 'The website has no database' })
  const [made] = await db
    .insert(backups)
    .values({
      ...{ websiteId, domain: site.domain, serverId: site.server.id, repositoryId: access.id, scheduleId, kind, mode },
      ...{ held, parts: [], configuration, createdBy: by.id },
    })
    .returning({ id: backups.id })
  if (!made) throw new Error('an insert answered no row')
  const on = (type: string, id: number, name: string) => ({ server: site.server.id, resource: { type, id, name } })
  const common = { ...remoteOf(access), website: site.id, backup: made.id, ...(limit && { limit }) }
  if (full) await app.secrets.write(db, secretOf(made.id), full.text)
  const plan: PlanStep[] = [
    withProgram(site.server),
    ...preparing(access),
    ...dumped.map(({ databaseId, name, engine }) =>
      step(databaseRun, { ...common, ...(engine && { engine }), name }, on('backed-database', databaseId, name)),
    ),
    ...(files
      ? [step(filesRun, { ...common, ...placeOf(site), excludes }, on('backed-website', site.id, site.domain))]
      : []),
    ...(full ? [await settingsStep(db, site, common)] : []),
    ...mailSteps(mail, common, site.server.id),
  ]
  const workflowId = await start(db, {
    ...{ kind: 'backup.run', holder: by.name, startedById: by.id, plan },
    subject: { type: 'backup', id: made.id, name: site.domain },
    locks: [`backup-of-website:${site.id}`],
  })
  await db.update(backups).set({ workflowId }).where(eq(backups.id, made.id))
  await addTasks(db, [
    {
      ...{ type: 'backup', resource: kind === 'mysql' ? 'mysql' : 'website', subject: site.domain },
      ...{ backupId: made.id, repositoryId: access.id, websiteId, startedBy: by.name, workflowId },
    },
  ])
  await changed(db, 'backups', made.id)
  return { id: made.id, workflowId }
}

/** The present settings of the website, which a restore needs and people can read. */
async function configurationOf(db: Db, site: Site): Promise<Configuration> {
  const live = await db
    .select()
    .from(databases)
    .where(and(eq(databases.websiteId, site.id), isNull(databases.deletedAt)))
    .orderBy(databases.id)
  const accounts = await readAccounts(
    db,
    and(eq(databaseUsers.websiteId, site.id), isNull(databaseUsers.deletedAt)) ?? isNull(databaseUsers.id),
  )
  return {
    website: {
      websiteId: site.id,
      domain: site.domain,
      serverName: site.server.name,
      ...placeOf(site),
      documentRoot: site.documentRoot,
      phpVersion: site.phpVersion,
      ...(site.php && { phpParameters: site.php }),
      names: [site.domain, ...site.aliases, ...site.redirects],
    },
    databases: live.map(({ id, engine, name, charset, collation }) => ({
      ...{ databaseId: id, ...engineOf({ engine }), name, charset, collation },
      users: accounts.flatMap(({ username, engine: its, grants }) =>
        its === engine && grants.some(({ database }) => database === name) ? username : [],
      ),
    })),
  }
}
