import type { KeptSettings } from '@innkeeper/contract/recovery/backups/shapes'
import { type SettingKind, settingKind } from '@innkeeper/contract/recovery/backups/values'
import { sql } from 'drizzle-orm'
import * as z from 'zod'
import { folderOf } from '../../../hosting/websites/folders.ts'
import { allParts } from '../../../hosting/websites/parts/parts.ts'
import type { Site } from '../../../hosting/websites/siteSteps.ts'
import type { App } from '../../../kit/app/app.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { type PlanStep, secret, step } from '../../../kit/work/action.ts'
import { settingsRun } from '../actions.ts'
import type { KeptFacts } from '../configuration.ts'
import type { remoteOf } from '../repositories/access.ts'

export const secretOf = (backupId: number) => `backup-settings:${backupId}`
/**
 * Maximum number of characters of all kinds together; a kind that exceeds the sum is left out, because operations have a size limit.
 */
const MOST = 7_000_000

interface Kept {
  settings: KeptFacts[]
  /** Kinds that are too large and left out, which makes the backup partial. */
  tooLarge: SettingKind[]
  /** Content of the file that the repository stores. */
  text: string
}

/** Settings of all parts of a website, and Innkeeper's rows about the website. */
export async function settingsOf(app: App, db: Db, site: Site): Promise<Kept> {
  const kept: Record<string, unknown> = {}
  const settings: KeptFacts[] = []
  const tooLarge: SettingKind[] = []
  let size = 0
  for (const part of allParts()) {
    const kind = settingKind.safeParse(part.kind).data
    const found = kind && (await part.keep?.(app, db, site))
    if (!kind || !found) continue
    const { length } = JSON.stringify(found.content)
    if (size + length > MOST) {
      tooLarge.push(kind)
      continue
    }
    size += length
    kept[kind] = found.content
    settings.push({ kind, text: found.text, facts: found.facts })
  }
  return { settings, tooLarge, text: JSON.stringify({ version: 1, ...(await rowsOf(db, site)), kept }) }
}

/** Rows of Innkeeper about the website, for people who rebuild it by hand. */
async function rowsOf(db: Db, site: Site): Promise<Record<string, unknown>> {
  const [found] = await rows<Record<string, unknown>>(
    db,
    sql`select to_jsonb(w) as website, to_jsonb(u) as account, p.name as plan,
        jsonb_build_object('name', o.name, 'email', o.email) as owner,
        (select coalesce(jsonb_agg(to_jsonb(a) order by a.website_id), '[]') from websites a
          where a.parent_id = w.website_id and a.deleted_at is null) as names,
        (select coalesce(jsonb_agg(jsonb_build_object('domain', m.domain, 'catchAll', m.catch_all, 'addresses',
            (select coalesce(jsonb_agg(jsonb_build_object('address', b.address, 'name', b.name, 'quotaMb', b.quota_mb,
              'forwards', b.forwards) order by b.address), '[]') from mailbox_users b
              where b.mailbox_id = m.mailbox_id and b.deleted_at is null),
            'aliases', (select coalesce(jsonb_agg(jsonb_build_object('address', l.address, 'targets', l.targets)
              order by l.address), '[]') from mail_aliases l where l.mailbox_id = m.mailbox_id))), '[]')
          from mailboxes m where m.website_id = w.website_id and m.deleted_at is null) as mail
      from websites w join system_users u on u.system_user_id = w.system_user_id
      left join plans p on p.plan_id = u.plan_id left join owners o on o.owner_id = w.owner_id
      where w.website_id = ${site.id}`,
  )
  return found ?? {}
}

/** Whether the account has no other website, so that all its cron jobs belong to this website. */
export async function ownsAllJobs(db: Db, site: Site): Promise<boolean> {
  const [left] = await rows<{ some: boolean }>(
    db,
    sql`select exists (select from websites w where w.system_user_id = ${site.systemUser.id} and w.deleted_at is null
      and w.kind <> 'alias' and w.website_id <> ${site.id} and w.parent_id is distinct from ${site.id}) as some`,
  )
  return site.kind === 'main' && !left?.some
}

type Common = ReturnType<typeof remoteOf> & { website: number; backup: number; limit?: number }
export const settingsStep = async (db: Db, site: Site, common: Common): Promise<PlanStep> =>
  step(
    settingsRun,
    {
      ...{ ...common, username: site.systemUser.username, folders: [folderOf(site)] },
      ...{ everything: await ownsAllJobs(db, site), text: secret(secretOf(common.backup)) },
    },
    { server: site.server.id, resource: { type: 'backed-settings', id: site.id, name: site.domain } },
  )

const Jobs = z.object({ jobs: z.int() })
/** The settings of a backup for display, with the cron jobs that the server has reported. */
export function heldOf(settings: readonly KeptFacts[], output: unknown): KeptSettings[] {
  const jobs = Jobs.safeParse(output).data?.jobs ?? 0
  return [
    ...settings.map(({ kind, text }) => ({ kind, text })),
    { kind: 'crontab', text: `${jobs} cron ${jobs === 1 ? 'job' : 'jobs'}` },
  ]
}
