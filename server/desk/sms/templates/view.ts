import type { SmsTemplate } from '@innkeeper/contract/desk/sms/calls'
import { countSegments } from '@innkeeper/contract/desk/sms/segments'
import { and, eq, isNull } from 'drizzle-orm'
import { byIds } from '../../../kit/db/byIds.ts'
import type { Db } from '../../../kit/db/db.ts'
import { inOrder } from '../../../kit/db/page.ts'
import { notFound } from '../../../kit/http/errors.ts'
import { smsTemplates as table } from '../tables.ts'

type Row = typeof table.$inferSelect

const shown = ({ deletedAt: _, createdBy: __, ...row }: Row): SmsTemplate => {
  const { encoding, segments } = countSegments(row.body)
  return { ...row, encoding, segments }
}

const select = byIds((db, isWanted) =>
  db
    .select()
    .from(table)
    .where(and(isWanted(table.id), isNull(table.deletedAt))),
)

export const readTemplates = async (db: Db, ids: number[]): Promise<SmsTemplate[]> =>
  inOrder(ids, await select(db, ids)).map(shown)

/** A template by its name; 404 if there is none. */
export async function findTemplate(db: Db, name: string, lock = false): Promise<SmsTemplate> {
  const query = db
    .select()
    .from(table)
    .where(and(eq(table.name, name), isNull(table.deletedAt)))
  const [row] = await (lock ? query.for('update') : query)
  if (!row) throw notFound('template', name)
  return shown(row)
}
