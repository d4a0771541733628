import type { mailboxes as contract } from '@innkeeper/contract/net/mailboxes/calls'
import { and, eq, isNull } from 'drizzle-orm'
import type { Handlers } from '../../kit/http/api.ts'
import { conflict, notFound, refused } from '../../kit/http/errors.ts'
import { checkExist, checkGone } from './create.ts'
import { refuseCatchAllLoop, refuseLoop } from './loops.ts'
import { answered, applied, hold } from './startWorkflow.ts'
import { mailAliases, mailboxUsers } from './tables.ts'

const MOST = 5000

export const aliasHandlers: Pick<Handlers<typeof contract>, 'setAlias' | 'removeAlias'> = {
  async setAlias({ id, localPart, targets, again }, context) {
    const { db, staff } = context
    const mailbox = await hold(context, id)
    const address = `${localPart}@${mailbox.domain}`
    const [user] = await db
      .select({ id: mailboxUsers.id })
      .from(mailboxUsers)
      .where(and(eq(mailboxUsers.address, address), isNull(mailboxUsers.deletedAt)))
    if (user)
      throw conflict(`${address} is a mailbox: give the mailbox forwards`, {
        fields: { localPart: 'Is a mailbox: give it forwards' },
      })
    const [former] = await db
      .select({ id: mailAliases.id })
      .from(mailAliases)
      .where(and(eq(mailAliases.mailboxId, id), eq(mailAliases.localPart, localPart)))
    if (!former) await checkGone(db, address, again)
    await checkExist(db, mailbox, targets, 'targets')
    if ((await db.$count(mailAliases, eq(mailAliases.mailboxId, id))) >= MOST)
      throw refused(`A mail domain has at most ${MOST} aliases`, { localPart: 'One too many' })
    await db
      .insert(mailAliases)
      .values({ mailboxId: id, localPart, address, targets })
      .onConflictDoUpdate({ target: [mailAliases.mailboxId, mailAliases.localPart], set: { targets } })
    await refuseLoop(db, address, targets, 'targets')
    return answered(context, id, await applied(db, id, 'mailbox.change', staff))
  },

  async removeAlias({ id, alias }, context) {
    const { db, staff } = context
    const mailbox = await hold(context, id)
    const [gone] = await db
      .delete(mailAliases)
      .where(and(eq(mailAliases.id, alias), eq(mailAliases.mailboxId, id)))
      .returning({ address: mailAliases.address })
    if (!gone) throw notFound('alias', alias)
    if (mailbox.catchAll === gone.address)
      throw refused(`${gone.address} is the catch-all address of ${mailbox.domain}: choose another first`)
    await refuseCatchAllLoop(db, mailbox, 'alias')
    return answered(context, id, await applied(db, id, 'mailbox.change', staff))
  },
}
