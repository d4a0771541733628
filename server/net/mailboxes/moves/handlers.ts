import { randomBytes } from 'node:crypto'
import type { mailboxes as contract } from '@innkeeper/contract/net/mailboxes/calls'
import { and, eq, notInArray, sql } from 'drizzle-orm'
import type { Db } from '../../../kit/db/db.ts'
import type { Handlers } from '../../../kit/http/api.ts'
import { refused } from '../../../kit/http/errors.ts'
import { changed } from '../../../kit/live/live.ts'
import { start } from '../../../kit/work/workflow.ts'
import { refuseImported } from '../imports/begin.ts'
import { answered, begun, hold } from '../startWorkflow.ts'
import { rowOf } from '../steps.ts'
import { mailMoves } from '../tables.ts'
import { moveFindings } from './check.ts'
import { type MailMoveRow, movePlan, retirement, transferKeyOf } from './plan.ts'

export const moveHandlers: Pick<Handlers<typeof contract>, 'moveCheck' | 'move' | 'retire'> = {
  moveCheck: async ({ id, serverId }, context) => ({ findings: await moveFindings(context, id, serverId) }),

  async move({ id, serverId, version }, context) {
    const { db, app, staff } = context
    const mailbox = await hold(context, id, version)
    await refuseImported(db, 'domain', id, mailbox.domain)
    const blockers = (await moveFindings(context, id, serverId)).filter(({ level }) => level === 'blocker')
    if (blockers.length) {
      const why = blockers.map(({ text }) => text).join('. ')
      throw refused(why, { serverId: why })
    }
    const [made] = await db
      .insert(mailMoves)
      .values({ mailboxId: id, sourceId: mailbox.serverId, targetId: serverId, state: 'moving', createdBy: staff.id })
      .returning()
    if (!made) throw new Error('an insert answered no row')
    await app.secrets.write(db, transferKeyOf(made.id), randomBytes(32).toString('hex'))
    const plan = await movePlan(context, await rowOf(db, id), made)
    const workflowId = await begun(db, id, 'mailbox.move', staff, plan, 'same')
    await db.update(mailMoves).set({ workflowId }).where(eq(mailMoves.id, made.id))
    return answered(context, id, workflowId)
  },

  async retire({ id, version }, context) {
    const { db, app, staff } = context
    const mailbox = await hold(context, id, version)
    const [move] = await db
      .select()
      .from(mailMoves)
      .where(and(eq(mailMoves.mailboxId, id), notInArray(mailMoves.state, ['done', 'rolled-back'])))
    if (move?.state !== 'passing') throw refused(`${mailbox.domain} has no former server that forwards its mail`)
    return answered(context, id, await retire(db, move, staff, app.settings.trashDays))
  },
}

/** Clears the former server, even if the domain has been deleted since. */
export async function retire(
  db: Db,
  move: MailMoveRow,
  by: { id: number | null; name: string },
  keepDays: number,
): Promise<number> {
  const row = await rowOf(db, move.mailboxId)
  const workflowId = await start(db, {
    kind: 'mailbox.retire',
    subject: { type: 'mailbox', id: row.id, name: row.domain },
    holder: by.name,
    startedById: by.id,
    plan: retirement(row, move, keepDays),
    locks: [`mailbox:${row.id}`],
  })
  await db
    .update(mailMoves)
    .set({ state: 'retiring', workflowId, waitsFor: null, version: sql`version + 1` })
    .where(eq(mailMoves.id, move.id))
  await changed(db, 'mailboxes', row.id)
  return workflowId
}
