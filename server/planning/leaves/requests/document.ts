import type { Served } from '@innkeeper/contract/kit/transfer'
import { eq } from 'drizzle-orm'
import type { Context } from '../../../kit/http/api.ts'
import { notFound } from '../../../kit/http/errors.ts'
import { readParts } from '../../../kit/storage/storage.ts'
import { leaves } from '../tables.ts'
import { findLeave } from '../view.ts'

/** Sends the document of a leave. Only the person and the approvers may read it: it may be a doctor's note. */
export async function sendDocument(id: number, { db, staff, app, now }: Context): Promise<Served> {
  const { document } = await findLeave(db, staff, id, now)
  const [leave] = document ? await db.select().from(leaves).where(eq(leaves.id, id)) : []
  if (!leave?.documentKey) throw notFound('document', id)
  const { documentKey: key, documentName, documentType, documentSize, documentSha256 } = leave
  return {
    name: documentName ?? 'document',
    type: documentType ?? 'application/octet-stream',
    size: documentSize ?? 0,
    sha256: documentSha256 ?? '',
    inline: true,
    read: (start, end) => readParts(app.storage, key, start, end),
  }
}
