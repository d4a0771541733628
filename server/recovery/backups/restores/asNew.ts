import { missing } from '@innkeeper/contract/kit/access'
import { eq } from 'drizzle-orm'
import { makeDatabase } from '../../../hosting/databases/create.ts'
import { checkDisk } from '../../../hosting/plans/room.ts'
import { aliasesAlong } from '../../../hosting/websites/aliasesAlong.ts'
import { copyMonitoring, copyRules } from '../../../hosting/websites/copySettings.ts'
import { makeWebsite } from '../../../hosting/websites/make.ts'
import { readSite } from '../../../hosting/websites/site.ts'
import { startOn } from '../../../hosting/websites/startWorkflow.ts'
import { websites } from '../../../hosting/websites/tables.ts'
import type { Context } from '../../../kit/http/api.ts'
import { denied, refused } from '../../../kit/http/errors.ts'
import type { PlanStep } from '../../../kit/work/action.ts'
import { noMail } from '../mail/bring.ts'
import { accessTo, checkUnlocked } from '../repositories/access.ts'
import { settingsSteps } from '../settings/bring.ts'
import { adapting } from './adapt.ts'
import { contentOf, type Wanted } from './content.ts'
import { insertRestore, recordRestore } from './recorded.ts'
import { newSteps } from './steps.ts'
import { type Loading, receivingPlace, strangeNames } from './target.ts'

/**
 * Restores a backup as a new website, on any server, also when the website of the backup is deleted. The new website
 * has an account, databases and passwords of its own. Owner and plan are those of the website of the backup unless the
 * call names others.
 */
export async function startAsNew(context: Context, wanted: Wanted & { domain: string }) {
  const { db, app, staff } = context
  const { backup, files, bytes, paths, dumped } = await contentOf(db, wanted)
  if (wanted.websiteId !== undefined)
    throw refused('A restore goes to an existing website or to a new one', { domain: 'Choose one of the two' })
  if (wanted.scope === 'config only' || !files || paths)
    throw refused('A new website needs all files of the backup', { paths: 'Choose all files' })
  if (wanted.mail?.length)
    throw refused('A new website has no mail domain yet: restore the mail once it has', { mail: 'Restore it later' })
  if (wanted.originServer === undefined) throw refused('Choose a server', { originServer: 'Required' })
  const lacking = (['website:website:create', 'database:database:create'] as const)
    .slice(0, dumped.length ? 2 : 1)
    .flatMap((scope) => missing(staff, scope))
  if (lacking.length) throw denied(lacking)
  const [from] = await db.select().from(websites).where(eq(websites.id, backup.websiteId))
  const { configuration } = backup
  const made = await makeWebsite(context, {
    domain: wanted.domain,
    originServer: wanted.originServer,
    userId: wanted.userId ?? from?.ownerId,
    plan: wanted.plan ?? from?.planId,
    phpVersion: wanted.phpVersion ?? configuration.website.phpVersion,
    websiteEnvironment: from?.environment,
    phpParameters: configuration.website.phpParameters,
  })
  if (from) {
    await copyRules(db, from.id, made.id, staff.id)
    await copyMonitoring(db, from.id, made.id, staff.id)
    await aliasesAlong(db, from.id, made.id)
  }
  const site = await readSite(db, made.id)
  await checkDisk(db, site.systemUser.id, wanted.plan === undefined ? 'domain' : 'plan', bytes)
  const loading: Loading[] = []
  const databases: PlanStep[] = []
  for (const { id: was, name, ...dump } of dumped) {
    const then = configuration.databases.find(({ databaseId }) => databaseId === was)
    const { database, account, steps } = await makeDatabase(
      ...([
        app,
        db,
        site,
        {
          engine: dump.engine,
          ...(dump.engine === 'mariadb' && { charset: then?.charset, collation: then?.collation }),
        },
        staff.id,
      ] as const),
    )
    loading.push({ ...dump, id: database.id, name: database.name, from: was, was: name, account })
    databases.push(...steps)
  }
  const access = await accessTo(db, backup.repositoryId)
  await checkUnlocked(db, [access], 'restore')
  const id = await insertRestore(context, wanted, { backup, paths }, site)
  const place = receivingPlace(site, configuration)
  const { settings = [], copy = false } = wanted
  const brought = await settingsSteps(context, site, { restoreId: id, backup, access, copy, settings })
  const plan = newSteps(site, databases, {
    ...{ id, access, place, files, bytes, paths: undefined, loading, foreign: true },
    adapt: adapting(site, place, configuration, loading),
    names: strangeNames(site, configuration, wanted),
    keepDays: 1,
    settings: brought.steps,
  })
  const workflowId = await startOn(db, site, 'website.create', plan, staff)
  await brought.begun(workflowId)
  await recordRestore(context, { id, workflowId, backup, site, access, loading, gone: [], mail: noMail, website: true })
  return { id, workflowId }
}
