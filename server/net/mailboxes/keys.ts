import type { mailboxes as contract } from '@innkeeper/contract/net/mailboxes/calls'
import type { MailKey } from '@innkeeper/contract/net/mailboxes/mailRecords'
import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../kit/db/db.ts'
import type { Handlers } from '../../kit/http/api.ts'
import { notFound, refused } from '../../kit/http/errors.ts'
import { type PlanStep, secret, step } from '../../kit/work/action.ts'
import { mailKeyEnsure } from './actions.ts'
import { answered, applied, begun, hold } from './startWorkflow.ts'
import type { MailDomain } from './steps.ts'
import { mailKeys } from './tables.ts'

export const FIRST_SELECTOR = 'ik1'
const MOST = 5

/** Step that makes the key on the server and answers its public half. `kept`: the secret of a key that comes from elsewhere. */
export const keyStep = (
  { id, domain, serverId }: Pick<MailDomain, 'id' | 'domain' | 'serverId'>,
  selector: string,
  kept?: string,
): PlanStep =>
  step(
    mailKeyEnsure,
    { domain, selector, ...(kept !== undefined && { privateKey: secret(kept) }) },
    { server: serverId, resource: { type: 'mailbox-key', id, name: selector } },
  )

export async function readKeys(db: Db, mailboxId: number): Promise<MailKey[]> {
  const found = await db.select().from(mailKeys).where(eq(mailKeys.mailboxId, mailboxId)).orderBy(mailKeys.id)
  return found.map(({ mailboxId: _, ...key }) => key)
}

export const keyHandlers: Pick<Handlers<typeof contract>, 'newKey' | 'signWith'> = {
  async newKey({ id }, context) {
    const { db, staff } = context
    const mailbox = await hold(context, id)
    const keys = await readKeys(db, id)
    if (keys.length >= MOST) {
      // deletes the oldest key that has not signed for a week
      const [oldest] = await db
        .delete(mailKeys)
        .where(
          sql`${mailKeys.id} = (select k.mail_key_id from mail_keys k where k.mailbox_id = ${id} and not k.signs
            and coalesce(k.retired_at, k.created_at) < now() - interval '7 days' order by k.mail_key_id limit 1)`,
        )
        .returning({ id: mailKeys.id })
      if (!oldest) throw refused(`${mailbox.domain} has ${MOST} keys: one must be unused for a week first`)
    }
    const last = Math.max(0, ...keys.map(({ selector }) => Number(/^ik(\d+)$/.exec(selector)?.[1] ?? 0)))
    const selector = `ik${last + 1}`
    await db.insert(mailKeys).values({ mailboxId: id, selector })
    const plan = [keyStep(mailbox, selector)]
    return answered(context, id, await begun(db, id, 'mailbox.key', staff, plan, 'same'))
  },

  async signWith({ id, key }, context) {
    const { db, staff } = context
    const mailbox = await hold(context, id)
    const [chosen] = await db
      .select()
      .from(mailKeys)
      .where(and(eq(mailKeys.id, key), eq(mailKeys.mailboxId, id)))
    if (!chosen) throw notFound('key', key)
    if (chosen.signs) throw refused(`${mailbox.domain} signs with ${chosen.selector} already`)
    await db
      .update(mailKeys)
      .set({ signs: false, retiredAt: sql`now()` })
      .where(and(eq(mailKeys.mailboxId, id), eq(mailKeys.signs, true)))
    await db.update(mailKeys).set({ signs: true, retiredAt: null }).where(eq(mailKeys.id, key))
    return answered(
      context,
      id,
      await applied(db, id, 'mailbox.change', staff, { before: [keyStep(mailbox, chosen.selector)] }),
    )
  },
}
