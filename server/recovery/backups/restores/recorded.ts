import { eq } from 'drizzle-orm'
import type { Site } from '../../../hosting/websites/siteSteps.ts'
import type { Context } from '../../../kit/http/api.ts'
import { changed } from '../../../kit/live/live.ts'
import type { BringingMail } from '../mail/bring.ts'
import { addTasks } from '../record.ts'
import { backupRestoreItems, backupRestores } from '../tables.ts'
import type { Content, Wanted } from './content.ts'
import type { Loading } from './target.ts'

export async function insertRestore(
  { db, staff }: Context,
  { scope, databases, tables, settings = [], mail = [] }: Wanted,
  { backup, paths }: Pick<Content, 'backup' | 'paths'>,
  site: Site,
): Promise<number> {
  const [made] = await db
    .insert(backupRestores)
    .values({
      ...{ backupId: backup.id, websiteId: site.id, domain: site.domain, scope, paths: paths ?? null },
      ...{
        databases: databases ?? null,
        tables: tables ?? null,
        settings,
        mail: mail.length ? mail : null,
        startedBy: staff.name,
        createdBy: staff.id,
      },
    })
    .returning({ id: backupRestores.id })
  if (!made) throw new Error('an insert answered no row')
  return made.id
}

interface Begun {
  id: number
  workflowId: number
  backup: Content['backup']
  site: Site
  access: { id: number }
  loading: Loading[]
  gone: string[]
  mail: Pick<BringingMail, 'domains' | 'gone'>
  /** Files or the configuration of the website are restored. */
  website: boolean
}

/** Inserts the parts of a restore, whose results follow later, and its task. */
export async function recordRestore({ db, staff }: Context, begun: Begun): Promise<void> {
  const { id, workflowId, backup, site, access, loading, gone, mail, website } = begun
  await db.update(backupRestores).set({ workflowId }).where(eq(backupRestores.id, id))
  const item = { restoreId: id }
  await db.insert(backupRestoreItems).values([
    ...(website ? [{ ...item, resource: 'website' as const, resourceId: site.id, name: site.domain }] : []),
    ...loading.map((one) => ({ ...item, resource: 'mysql' as const, resourceId: one.id, name: one.name })),
    ...gone.map((name) => ({
      ...{ ...item, resource: 'mysql' as const, resourceId: 0, name, result: 'failed' as const },
      message: `${site.domain} has no database for it`,
    })),
    ...mail.domains.map(({ id: resourceId, domain: name }) => ({
      ...item,
      resource: 'mail' as const,
      resourceId,
      name,
    })),
    ...mail.gone.map((name) => ({
      ...{ ...item, resource: 'mail' as const, resourceId: 0, name, result: 'failed' as const },
      message: 'The mailbox was deleted',
    })),
    { ...item, resource: 'server' as const, resourceId: site.server.id, name: site.server.name },
  ])
  await addTasks(db, [
    {
      ...{ type: 'restore', resource: loading.length && !website ? 'mysql' : 'website', subject: site.domain },
      ...{ backupId: backup.id, restoreId: id, repositoryId: access.id, websiteId: site.id },
      ...{ startedBy: staff.name, workflowId },
    },
  ])
  await changed(db, 'backups')
}
