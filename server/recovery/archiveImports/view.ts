import { archiveFormat } from '@innkeeper/contract/recovery/archiveImports/inventory'
import type { ArchiveImport, ArchiveImportView } from '@innkeeper/contract/recovery/archiveImports/shapes'
import { eq, sql } from 'drizzle-orm'
import { owners } from '../../hosting/owners/tables.ts'
import { byIds } from '../../kit/db/byIds.ts'
import type { Db } from '../../kit/db/db.ts'
import { inOrder } from '../../kit/db/page.ts'
import type { Context } from '../../kit/http/api.ts'
import { notFound } from '../../kit/http/errors.ts'
import { checkVersion } from '../../kit/http/version.ts'
import { servers } from '../../machines/servers/tables.ts'
import { lateMailOf } from './lateMail/read.ts'
import { passwordsOf } from './newPasswords/read.ts'
import { archiveImports } from './tables.ts'

const lengthOf = (list: string) =>
  sql<number>`coalesce(jsonb_array_length(${archiveImports.inventory} -> ${sql.raw(`'${list}'`)}), 0)`

/** Whether the workflow of a running import is so. */
const whose = (
  fact: 'w.paused' | 'w.undo',
) => sql<boolean>`${archiveImports.status} = 'importing' and exists (select from workflows w
  where w.workflow_id = ${archiveImports.workflowId} and ${sql.raw(fact)} and w.ended_at is null)`

/** A list never reads whole inventories: each may have a megabyte. */
const selectImports = byIds((db, isWanted) =>
  db
    .select({
      id: archiveImports.id,
      version: archiveImports.version,
      createdAt: archiveImports.createdAt,
      updatedAt: archiveImports.updatedAt,
      serverId: archiveImports.serverId,
      serverName: servers.name,
      source: archiveImports.source,
      fileName: archiveImports.fileName,
      status: archiveImports.status,
      format: sql<string | null>`${archiveImports.inventory} ->> 'format'`,
      account: sql<string | null>`${archiveImports.inventory} -> 'account' ->> 'name'`,
      websites: lengthOf('websites'),
      databases: lengthOf('databases'),
      mailboxes: sql<number>`(select coalesce(sum(jsonb_array_length(m -> 'mailboxes')), 0)::int
        from jsonb_array_elements(${archiveImports.inventory} -> 'mail') m)`,
      ownerId: archiveImports.ownerId,
      ownerName: owners.name,
      reason: archiveImports.reason,
      by: archiveImports.staffName,
      workflowId: archiveImports.workflowId,
      paused: whose('w.paused'),
      undoing: whose('w.undo'),
    })
    .from(archiveImports)
    .innerJoin(servers, eq(servers.id, archiveImports.serverId))
    .leftJoin(owners, eq(owners.id, archiveImports.ownerId))
    .where(isWanted(archiveImports.id)),
)

export async function readImports(db: Db, ids: number[]): Promise<ArchiveImport[]> {
  const found = await selectImports(db, ids)
  return inOrder(
    ids,
    found.map(({ format, websites, databases, mailboxes, ...one }) => ({
      ...one,
      format: archiveFormat.nullable().parse(format),
      counts: format === null ? null : { websites, databases, mailboxes },
    })),
  )
}

export async function readImport(db: Db, id: number): Promise<ArchiveImport> {
  const [found] = await readImports(db, [id])
  if (!found) throw notFound('import', id)
  return found
}

/** The row of an import; `lock` holds it until the transaction ends. */
export async function rowOf(db: Db, id: number, { lock = false } = {}) {
  const select = db.select().from(archiveImports).where(eq(archiveImports.id, id))
  const [row] = await (lock ? select.for('update') : select)
  if (!row) throw notFound('import', id)
  return row
}

export async function viewImport(db: Db, id: number): Promise<ArchiveImportView> {
  // the status first: the report that belongs to it is written with it
  const shown = await readImport(db, id)
  const { inventory, plan, report, made, names, watching, lookedAt } = await rowOf(db, id)
  const named = ({ id: of, domain }: { id: number; domain: string }) => ({ id: of, domain })
  return {
    ...shown,
    ...{ inventory, plan, report },
    lateMail: await lateMailOf(db, made),
    passwords: await passwordsOf(db, id),
    cutOver: names && { names, watching, at: lookedAt },
    made: {
      websites: [...(made?.websites ?? []), ...(made?.again?.websites ?? [])].map(named),
      mailboxes: [...(made?.mailboxes ?? []), ...(made?.again?.mail ?? [])].map(named),
    },
  }
}

export const nameOf = (row: Pick<typeof archiveImports.$inferSelect, 'fileName'>) =>
  row.fileName.slice(row.fileName.lastIndexOf('/') + 1).slice(0, 120)

/** Locks and reads an import, and notes it for the action log. */
export async function held({ db, audit }: Context, id: number, version?: number) {
  const row = await rowOf(db, id, { lock: true })
  checkVersion(row, version, nameOf(row))
  audit.of('archive-import', id)
  return row
}
