import { checkDisk } from '../../../hosting/plans/room.ts'
import { stepsIn } from '../../../hosting/websites/parts/parts.ts'
import { startOn } from '../../../hosting/websites/startWorkflow.ts'
import type { Context } from '../../../kit/http/api.ts'
import { refused } from '../../../kit/http/errors.ts'
import { bringMail } from '../mail/bring.ts'
import { accessTo, checkUnlocked } from '../repositories/access.ts'
import { settingsSteps } from '../settings/bring.ts'
import { adapting } from './adapt.ts'
import { startAsNew } from './asNew.ts'
import { contentOf, type Wanted } from './content.ts'
import { insertRestore, recordRestore } from './recorded.ts'
import { restoreSteps } from './steps.ts'
import { otherOwner, receiving, receivingPlace, strangeNames, targetOf } from './target.ts'

/** Checks a restore onto an existing website against its present state, and returns all that its steps need. */
export async function takingOf(db: Context['db'], wanted: Wanted) {
  const content = await contentOf(db, wanted)
  const { backup, dumped } = content
  const { website, site } = await targetOf(db, wanted.websiteId ?? backup.websiteId)
  const same = site.id === backup.websiteId
  if (!same && wanted.scope === 'config only')
    throw refused('The configuration alone is restored into its own website', { scope: 'Not for another website' })
  if (!same) await checkDisk(db, site.systemUser.id, 'websiteId', wanted.paths ? 0 : content.bytes)
  const other = same ? undefined : await otherOwner(db, backup.websiteId, website)
  const { loading, gone } = await receiving(db, site.id, same, dumped, wanted.into)
  if (gone.length && wanted.databases) {
    const why = same ? `${gone.join(', ')} no longer exists` : `${site.domain} has no database for ${gone.join(', ')}`
    throw refused(`${why}: create or restore the database first`, { databases: why })
  }
  return { ...content, website, site, same, other, loading, gone, place: receivingPlace(site, backup.configuration) }
}

/** Starts a restore in the caller's transaction, with the lock of the website that receives it. */
export async function startRestore(context: Context, wanted: Wanted) {
  if (wanted.domain !== undefined) return startAsNew(context, { ...wanted, domain: wanted.domain })
  const { db, app, staff } = context
  for (const field of ['originServer', 'plan', 'phpVersion'] as const)
    if (wanted[field] !== undefined)
      throw refused('An existing website keeps its server, plan and PHP', { [field]: 'Only for a new website' })
  const { backup, website, site, same, other, files, bytes, paths, loading, gone, place } = await takingOf(db, wanted)
  if (wanted.userId !== undefined && wanted.userId !== website.ownerId)
    throw refused(`${website.domain} does not belong to owner ${wanted.userId}`, { userId: 'This is not its owner' })
  if (other && wanted.userId === undefined)
    throw refused(`${website.domain} belongs to ${other.name}, who would see all of it`, {
      userId: 'Confirm the other owner',
    })
  if (wanted.scope !== 'config only' && !files && !loading.length && !wanted.settings?.length && !wanted.mail?.length)
    throw refused('Nothing is chosen', { paths: 'Choose files, databases, settings or mail' })
  const access = await accessTo(db, backup.repositoryId)
  await checkUnlocked(db, [access], 'restore')
  const id = await insertRestore(context, wanted, { backup, paths }, site)
  const config = same && wanted.scope !== 'server only'
  const { settings = [], copy = false } = wanted
  const brought = await settingsSteps(context, site, { restoreId: id, backup, access, copy, settings })
  const mail = await bringMail(db, backup, access, { restoreId: id, websiteId: site.id, mail: wanted.mail })
  const plan = restoreSteps(site, {
    ...{ id, access, place, files, bytes, paths, loading, config },
    foreign: backup.configuration.website.username !== site.systemUser.username || site.server.id !== backup.serverId,
    state: website.status === 'suspended' ? 'suspended' : 'active',
    forget: loading.length ? await stepsIn('forget', db, site) : [],
    adapt: config || (!same && files) ? adapting(site, place, backup.configuration, loading) : [],
    names: strangeNames(site, backup.configuration, wanted),
    keepDays: Math.min(app.settings.trashDays, 30),
    settings: brought.steps,
    mail,
  })
  const workflowId = await startOn(db, site, 'website.restore-backup', plan, staff, { locks: mail.locks })
  await brought.begun(workflowId)
  await recordRestore(context, {
    id,
    workflowId,
    backup,
    site,
    access,
    loading,
    gone,
    mail,
    website: Boolean(files || config || settings.length),
  })
  return { id, workflowId }
}
