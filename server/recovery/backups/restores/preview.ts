import type { RestorePreview } from '@innkeeper/contract/recovery/backups/shapes'
import { sql } from 'drizzle-orm'
import type { Site } from '../../../hosting/websites/siteSteps.ts'
import { dayText } from '../../../kit/app/sinceText.ts'
import { isoOf } from '../../../kit/db/columns.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { mailPreview } from '../mail/bring.ts'
import { inUseText } from '../repositories/inUse.ts'
import { settingsPreview } from '../settings/compare.ts'
import { obstaclesOf } from './obstacles.ts'
import { takingOf } from './start.ts'
import { alsoInside, liveDatabases, sizesOf } from './target.ts'

type Taking = Awaited<ReturnType<typeof takingOf>>

/** What a restore would replace in the website that receives it. Its present files are not read. */
export async function previewOf(db: Db, backupId: number, websiteId: number | undefined): Promise<RestorePreview> {
  const taking = await takingOf(db, { backupId, scope: 'server and config', websiteId })
  const { backup, website, site, loading, place, dumped } = taking
  const part = backup.parts.find(({ resource, snapshot }) => resource === 'website' && snapshot)
  const live = await liveDatabases(db, site.id)
  const sizes = await sizesOf(
    db,
    loading.map(({ id }) => id),
  )
  return {
    website: website.domain,
    files: part?.files ?? null,
    bytes: part?.bytes ?? null,
    folder: part ? place.path : null,
    databases: dumped.map(({ id, name }) => {
      const into = loading.find(({ from }) => from === id)
      return {
        ...{ id, name, into: into ? { id: into.id, name: into.name } : null },
        ...{ exists: into !== undefined, size: into ? (sizes.get(into.id) ?? null) : null },
      }
    }),
    settings: await settingsPreview(db, backup, site),
    mail: await mailPreview(db, backup, site.id),
    targets: live.map(({ id, name }) => ({ id, name })),
    otherOwner: taking.other ?? null,
    warnings: [
      ...(await obstaclesOf(db, website.serverId, backup.repositoryId)),
      ...(await warningsOf(db, taking)),
      ...(await lossesOf(db, site, place.path, website.domain)),
    ],
  }
}

/** Differences between the website now and at the time of the backup. */
async function warningsOf(db: Db, { backup, website, same, other, gone }: Taking): Promise<string[]> {
  const { website: then } = backup.configuration
  const warnings = [
    same && website.serverId !== backup.serverId && `The website has moved since: it was on ${then.serverName}`,
    same && website.domain !== backup.domain && `The website was ${backup.domain} then`,
    other && `${website.domain} belongs to another owner, ${other.name}, who will see all of it`,
    website.phpVersion !== then.phpVersion &&
      `The backup is of a website on PHP ${then.phpVersion}, and ${website.domain} runs on ${website.phpVersion}`,
    website.status === 'suspended' && `${website.domain} is suspended and stays suspended`,
    backup.status === 4 && 'This backup is partial',
    await inUseText(db, backup.repositoryId),
    ...gone.map((name) => `${website.domain} has no database for ${name}: it is left out`),
  ]
  return warnings.flatMap((text) => text || [])
}

/** What is lost with the present files: other websites in the folder, and content without a backup. */
async function lossesOf(db: Db, site: Site, folder: string, domain: string): Promise<string[]> {
  const inside = await alsoInside(db, site, folder)
  const [last] = await rows<{ at: string | null }>(
    db,
    sql`select max(ended_at) as at from backups where website_id = ${site.id} and status = 2 and deleted_at is null`,
  )
  return [
    ...(inside.length ? [`The folder also has ${inside.join(', ')}: their files are replaced, too`] : []),
    ...(last?.at
      ? Date.parse(isoOf(last.at)) < Date.now() - 86_400_000
        ? [
            `The newest good backup of ${domain} is of ${dayText(isoOf(last.at))}: what came later is kept in the trash alone`,
          ]
        : []
      : [`${domain} has no good backup: what it is now is kept in the trash alone`]),
  ]
}
