import { holds } from '@innkeeper/contract/access'
import type { Served } from '@innkeeper/contract/transfer'
import { eq } from 'drizzle-orm'
import type { Context } from '../kit/api.ts'
import { notFound } from '../kit/errors.ts'
import { readParts } from '../kit/storage.ts'
import { leaves } from './tables.ts'

/** For the person and for whoever decides: a doctor's note is nobody else's. */
export async function sendDocument(id: number, { db, staff, app }: Context): Promise<Served> {
  const [leave] = await db.select().from(leaves).where(eq(leaves.id, id))
  const mayRead = leave && (leave.userId === staff.id || holds(staff, 'calendar:leave:review'))
  if (!mayRead || leave.documentKey === null) throw notFound('document', id)
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
