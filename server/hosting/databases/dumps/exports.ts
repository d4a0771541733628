import type { databases as contract } from '@innkeeper/contract/hosting/databases/calls'
import { and, eq, sql } from 'drizzle-orm'
import type { Handlers } from '../../../kit/http/api.ts'
import { notFound, refused } from '../../../kit/http/errors.ts'
import { nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { beginBlob, leaveBlobs } from '../../../kit/storage/blobs.ts'
import { readParts } from '../../../kit/storage/storage.ts'
import { outputOf, step } from '../../../kit/work/action.ts'
import { start } from '../../../kit/work/workflow.ts'
import { databaseDump, dumpSend } from '../actions.ts'
import { readDatabase } from '../read.ts'
import { engineOf } from '../steps.ts'
import { databaseExports } from '../tables.ts'
import { onDump } from './steps.ts'
import { readExports } from './view.ts'

const TYPE = 'application/gzip'

export const exportHandlers: Pick<
  Handlers<typeof contract>,
  'exportDump' | 'exportTicket' | 'downloadDump' | 'discardExport'
> = {
  async exportDump({ id }, { db, staff, now, audit }) {
    const database = await readDatabase(db, id)
    if (database.status !== 'active') throw refused(`${database.name} is ${database.status}`)
    const fileName = `${database.name}-${now.toISOString().slice(0, 16).replace(':', '')}.sql.gz`
    const key = await beginBlob(db, { name: fileName, type: TYPE })
    const [made] = await db
      .insert(databaseExports)
      .values({ databaseId: id, key, fileName, status: 'running', staffName: staff.name, createdBy: staff.id })
      .returning({ id: databaseExports.id })
    if (!made) throw new Error('an insert answered no row')
    const on = onDump(database)
    const file = `export-${made.id}.sql.gz`
    const dump = step(databaseDump, { ...engineOf(database), name: database.name, file }, on)
    const workflowId = await start(db, {
      kind: 'database.export',
      subject: { type: 'database', id, name: database.name },
      holder: staff.name,
      startedById: staff.id,
      plan: [dump, step(dumpSend, { file, key, sha256: outputOf(dump, 'sha256') }, on)],
      locks: [`database-export:${id}`],
    })
    await db.update(databaseExports).set({ workflowId }).where(eq(databaseExports.id, made.id))
    const [data] = await readExports(db, eq(databaseExports.id, made.id))
    if (!data) throw new Error('an export was not saved')
    audit.of('database', id)
    audit.workflow(workflowId)
    audit.after(data)
    await changed(db, 'databases', id)
    return { data, workflowId }
  },

  async exportTicket({ id }, { db, app, staff, audit }) {
    const [found] = await readExports(db, and(eq(databaseExports.id, id), eq(databaseExports.status, 'ready'))!)
    if (!found) throw notFound('export', id)
    audit.of('database', found.databaseId)
    audit.after({ downloads: found.fileName })
    return app.tickets.issue({ path: `/api/database/exports/${id}/file`, isRecorded: true }, staff.sessionKey)
  },

  async downloadDump({ id }, { db, app }) {
    const [found] = await db
      .select()
      .from(databaseExports)
      .where(and(eq(databaseExports.id, id), eq(databaseExports.status, 'ready')))
    if (!found?.size || !found.sha256) throw notFound('export', id)
    const { key, fileName: name, size, sha256 } = found
    return { name, type: TYPE, size, sha256, read: (from, to) => readParts(app.storage, key, from, to) }
  },

  async discardExport({ id }, { db, audit }) {
    const [found] = await db
      .update(databaseExports)
      .set({ status: 'gone', ...nextVersion })
      .where(and(eq(databaseExports.id, id), sql`status in ('ready', 'failed')`))
      .returning()
    if (!found) throw notFound('export', id)
    await leaveBlobs(db, [found.key])
    audit.of('database', found.databaseId)
    audit.after({ deleted: found.fileName })
    await changed(db, 'databases', found.databaseId)
  },
}
