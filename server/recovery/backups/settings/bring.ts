import type { SettingKind } from '@innkeeper/contract/recovery/backups/values'
import { like } from 'drizzle-orm'
import * as z from 'zod'
import { folderOf } from '../../../hosting/websites/folders.ts'
import type { Bringing } from '../../../hosting/websites/parts/parts.ts'
import { onUser, type Site } from '../../../hosting/websites/siteSteps.ts'
import { liveRead } from '../../../kit/agents/liveRead.ts'
import { reader } from '../../../kit/agents/sealed.ts'
import { secrets } from '../../../kit/app/tables.ts'
import type { Db } from '../../../kit/db/db.ts'
import type { Context } from '../../../kit/http/api.ts'
import { action, type PlanStep, step } from '../../../kit/work/action.ts'
import { crontabRestore } from '../actions.ts'
import { type Access, accessTo, localOf, remoteOf, withProgram } from '../repositories/access.ts'
import { storedBackup } from '../runs/view.ts'
import { type Backup, checkSettings, factsOf, partOf, settingsPart } from './compare.ts'
import { ownsAllJobs } from './keep.ts'

/** Name of the secret that has the content of a kind of settings while a restore runs. */
const secretOf = (restoreId: number, kind: string) => `restore-settings:${restoreId}:${kind}`
/** Deletes the stored settings of a restore that has ended. */
export const forgetSettings = (db: Db, restoreId: number) =>
  db.delete(secrets).where(like(secrets.name, secretOf(restoreId, '%')))

const settingsFetch = action(
  'restore-settings.fetch',
  z.object({ restoreId: z.int(), backupId: z.int(), copy: z.boolean() }),
  {
    title: 'Settings',
    what: () => 'as they were backed up',
    async run({ restoreId, backupId, copy }, { app, fence }) {
      const backup = await storedBackup(app.db, backupId, copy)
      const snapshot = settingsPart(backup)?.snapshot
      if (!snapshot) throw new Error('this backup keeps no settings')
      const access = await accessTo(app.db, backup.repositoryId)
      const { key, open } = reader()
      const input = { ...localOf(access), snapshot, reader: key }
      const answer = Sealed.parse(await liveRead(app, access.backupServer.serverId, 'backup-settings.read', input))
      const { kept } = Text.parse(JSON.parse(open(answer.sealed)))
      fence()
      await app.db.transaction(async (tx) => {
        for (const [kind, content] of Object.entries(kept))
          await app.secrets.write(tx, secretOf(restoreId, kind), JSON.stringify(content))
      })
      return { kinds: Object.keys(kept) }
    },
    undo: ({ restoreId }, { app }) => forgetSettings(app.db, restoreId),
  },
)
const Sealed = z.object({ sealed: z.string() })
const Text = z.object({ version: z.literal(1), kept: z.record(z.string(), z.unknown()) })

interface Chosen {
  restoreId: number
  backup: Backup
  access: Access
  copy: boolean
  settings: readonly SettingKind[]
}
/** Steps that restore the chosen settings of a backup. */
export async function settingsSteps(context: Context, site: Site, chosen: Chosen): Promise<Required<Bringing>> {
  const { restoreId, backup, access, copy, settings } = chosen
  const { db } = context
  await checkSettings(db, backup, site, settings)
  const made: Bringing[] = []
  const rowed = settings.filter((kind) => kind !== 'crontab')
  for (const kind of rowed) {
    const bringing = await partOf(kind)?.bringBack?.(
      context,
      site,
      factsOf(backup, kind) ?? {},
      secretOf(restoreId, kind),
    )
    if (bringing) made.push(bringing)
  }
  const fetch = step(
    settingsFetch,
    { restoreId, backupId: backup.id, copy },
    { resource: { type: 'restored-settings', id: site.id, name: site.domain } },
  )
  return {
    steps: [
      ...(rowed.length ? [fetch] : []),
      ...(settings.includes('crontab') ? await cron(db, site, backup, access) : []),
      ...made.flatMap(({ steps }) => steps),
    ],
    async begun(workflowId) {
      for (const { begun } of made) await begun?.(workflowId)
    },
  }
}

async function cron(db: Db, site: Site, backup: Backup, access: Access): Promise<PlanStep[]> {
  const folder = folderOf(site)
  const input = {
    ...{ ...remoteOf(access), snapshot: settingsPart(backup)?.snapshot ?? '', username: site.systemUser.username },
    ...{ folders: [folder], everything: await ownsAllJobs(db, site) },
    ...{ former: backup.configuration.website.path, path: folder },
  }
  const resource = { type: 'restored-crontab', id: site.id, name: site.domain }
  return [withProgram(site.server), step(crontabRestore, input, { ...onUser(site, 'crontab'), resource })]
}
