import { missing } from '@innkeeper/contract/kit/access'
import type { Permission } from '@innkeeper/contract/permissions/services'
import { eq } from 'drizzle-orm'
import { arriveAgain } from '../../../hosting/databases/arriving.ts'
import { databases } from '../../../hosting/databases/tables.ts'
import { rootOf } from '../../../hosting/websites/folders.ts'
import { readSite } from '../../../hosting/websites/site.ts'
import type { Context } from '../../../kit/http/api.ts'
import { denied } from '../../../kit/http/errors.ts'
import { outputOf, type PlanStep, step } from '../../../kit/work/action.ts'
import { archiveAgain, archiveDrop, archiveUnpack, importAccept, importVerify } from '../actions.ts'
import type { Drawn } from '../drawing/draw.ts'
import type { archiveImports, Made } from '../tables.ts'
import { nameOf } from '../view.ts'

type Row = typeof archiveImports.$inferSelect

/** The steps of a repeated import: changed files and messages, and databases that people chose. */
export async function makeAgain(context: Context, row: Row, { again }: Drawn) {
  const { app, db, staff } = context
  const needed: Permission[] = [
    ...(again.websites.length ? (['website:website:create'] as const) : []),
    ...(again.mail.length ? (['mailbox:mailbox:update'] as const) : []),
    ...(again.databases.length ? (['database:database:import'] as const) : []),
  ]
  const lacks = needed.flatMap((one) => missing(staff, one))
  if (lacks.length) throw denied(lacks)
  const name = nameOf(row)
  const on = { server: row.serverId, resource: { type: 'archive-import', id: row.id, name } }
  const own = { resource: on.resource }
  const archive = { importId: row.id, ...(row.source === 'path' && { archive: row.fileName }) }
  const sites = []
  for (const { id, from, since, packed } of again.websites)
    sites.push({ websiteId: id, from, since, packed, ...rootOf(await readSite(db, id)) })
  const bases: Made['databases'] = []
  const written = outputOf({ ...on, name: archiveUnpack.name }, 'dumps')
  const dumps: { database: string; file: string }[] = []
  const loading: PlanStep[] = []
  for (const one of again.databases) {
    const [database] = await db.select().from(databases).where(eq(databases.id, one.id))
    if (!database) continue
    const fileName = `${one.name} of ${name}`.slice(0, 250)
    const arrived = await arriveAgain(app, db, database, fileName, written, staff)
    dumps.push({ database: one.name, file: arrived.file })
    loading.push(...arrived.steps)
    bases.push({ ...one, importId: arrived.importId, userId: 0, username: '', hashed: false })
  }
  const before: PlanStep[] = [
    step(
      archiveAgain,
      {
        ...archive,
        sites,
        mail: again.mail.map(({ id, from, since, users }) => ({ mailboxId: id, from, since, users })),
      },
      on,
    ),
    ...(dumps.length ? [step(archiveUnpack, { ...archive, sites: [], dumps }, on)] : []),
    ...loading,
    step(importVerify, { importId: row.id }, own),
  ]
  const made: Made = {
    ...{ websites: [], databases: bases, mailboxes: [], certificates: [], ftp: [], zones: [], cron: 0 },
    again: {
      websites: again.websites.map(({ id, domain, from }) => ({ id, domain, from })),
      mail: again.mail.map(({ id, domain, from }) => ({ id, domain, from })),
    },
  }
  return {
    made,
    steps: [...before, step(importAccept, { importId: row.id }, own), step(archiveDrop, { importId: row.id }, on)],
    pauseAfter: before.length,
    locks: [...again.websites.map(({ id }) => `website:${id}`), ...again.mail.map(({ id }) => `mailbox:${id}`)],
    of: [],
    begun: async () => undefined,
  }
}
