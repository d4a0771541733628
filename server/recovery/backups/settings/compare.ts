import type { RestorePreview } from '@innkeeper/contract/recovery/backups/shapes'
import type { SettingKind } from '@innkeeper/contract/recovery/backups/values'
import * as z from 'zod'
import { allParts } from '../../../hosting/websites/parts/parts.ts'
import type { Site } from '../../../hosting/websites/siteSteps.ts'
import type { Db } from '../../../kit/db/db.ts'
import { refused } from '../../../kit/http/errors.ts'
import type { storedBackup } from '../runs/view.ts'

export type Backup = Awaited<ReturnType<typeof storedBackup>>
/** The part of a backup that contains settings; undefined if the backup has none. */
export const settingsPart = ({ parts }: Backup) =>
  parts.find(({ resource, snapshot }) => resource === 'settings' && snapshot)
/** The part of a website that these settings belong to. */
export const partOf = (kind: SettingKind) => allParts().find((part) => part.kind === kind)
/** What the backup noted about these settings. */
export const factsOf = ({ configuration }: Backup, kind: SettingKind) =>
  configuration.settings?.find((one) => one.kind === kind)?.facts

/** Compares the settings of a backup with those of the website that would receive them. */
export async function settingsPreview(
  db: Db,
  backup: Backup,
  site: Pick<Site, 'id' | 'domain'>,
): Promise<RestorePreview['settings']> {
  const found = []
  for (const { kind, text } of settingsPart(backup)?.holds ?? [])
    found.push({ kind, text, ...(await compared(db, backup, site, kind)) })
  return found
}

/** The present settings, and why those of the backup cannot be restored to the website. */
async function compared(db: Db, backup: Backup, site: Pick<Site, 'id' | 'domain'>, kind: SettingKind) {
  const facts = factsOf(backup, kind) ?? {}
  const part = partOf(kind)
  try {
    const closed = (await part?.closed?.(db, site, facts)) ?? null
    return { closed, now: (await part?.now?.(db, site, facts)) ?? '' }
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error
    return { closed: 'The backup does not say whose settings these are: read settings.json with restic', now: '' }
  }
}

/** Refuses settings that the backup lacks, or that this website cannot have. */
export async function checkSettings(
  db: Db,
  backup: Backup,
  site: Pick<Site, 'id' | 'domain'>,
  wanted: readonly SettingKind[],
): Promise<void> {
  const refuse = (why: string) => refused(why, { settings: why })
  const part = settingsPart(backup)
  if (wanted.length && !part) throw refuse('This backup keeps no settings')
  for (const kind of wanted) {
    if (!part?.holds?.some((one) => one.kind === kind)) throw refuse(`This backup has no ${titleOf(kind)}`)
    const { closed } = await compared(db, backup, site, kind)
    if (closed) throw refuse(closed)
  }
}
const titleOf = (kind: SettingKind) => (partOf(kind)?.title ?? kind).toLowerCase()
