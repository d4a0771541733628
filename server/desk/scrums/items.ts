import type { AuditItem } from '@innkeeper/contract/desk/scrums/shapes'
import { eq, sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import { refused } from '../../kit/http/errors.ts'
import { scrumAuditItems, scrumAudits } from './tables.ts'
import { totalOf } from './total.ts'

interface Given {
  componentId: number
  score?: number | null | undefined
  comment?: string | undefined
}

/** Replaces the items of a draft. Components that the stored draft scores may be inactive now. */
export async function saveItems(db: Db, auditId: number, scale: number, given: readonly Given[]): Promise<void> {
  const ids = given.map(({ componentId }) => componentId)
  const twice = ids.findIndex((id, n) => ids.indexOf(id) !== n)
  if (twice >= 0) throw refused('A component is scored twice', { [`items.${twice}.componentId`]: 'Scored twice' })
  const beyond = given.findIndex(({ score }) => (score ?? 0) > scale)
  if (beyond >= 0) throw refused(`Scores go up to ${scale}`, { [`items.${beyond}.score`]: `At most ${scale}` })
  const known = await rows<{ id: number; name: string; weight: number }>(
    db,
    sql`select c.scrum_component_id as id, c.name, c.weight from scrum_components c
      where c.scrum_component_id = any(${sql.param(ids)}::int[]) and (c.deleted_at is null and c.status = 'active'
        or exists (select from scrum_audit_items i where i.scrum_audit_id = ${auditId} and i.scrum_component_id = c.scrum_component_id))`,
  )
  const there = new Set(known.map(({ id }) => id))
  const gone = ids.findIndex((id) => !there.has(id))
  if (gone >= 0)
    throw refused('A component is not active', {
      [`items.${gone}.componentId`]: `Component ${ids[gone]} is not active`,
    })
  await db.delete(scrumAuditItems).where(eq(scrumAuditItems.auditId, auditId))
  const stored = given.map(({ componentId, score = null, comment = '' }) => {
    const { name, weight } = known.find(({ id }) => id === componentId)! // checked above
    return { auditId, componentId, name, weight, score, comment }
  })
  if (stored.length) await db.insert(scrumAuditItems).values(stored)
  await db
    .update(scrumAudits)
    .set({ total: totalOf(stored, scale) })
    .where(eq(scrumAudits.id, auditId))
}

/** All active components, without scores. */
export async function blankItems(db: Db): Promise<Given[]> {
  const found = await rows<{ id: number }>(
    db,
    sql`select scrum_component_id as id from scrum_components where deleted_at is null and status = 'active'
      order by weight desc, lower(name), scrum_component_id limit 100`,
  )
  return found.map(({ id }) => ({ componentId: id }))
}

/** Refuses to submit an audit without scores, or with a low score without a comment. */
export function checkComplete(items: readonly AuditItem[], scale: number, commentBelow: number): void {
  if (!items.some(({ score }) => score !== null))
    throw refused('No component is scored yet', { items: 'Score at least one component' })
  const silent = items.findIndex(
    ({ score, comment }) => score !== null && score * 100 < commentBelow * scale && comment === '',
  )
  if (silent >= 0)
    throw refused(`${items[silent]?.name}: a score below ${commentBelow} % needs a comment`, {
      [`items.${silent}.comment`]: 'A low score needs a comment',
    })
}
