import { operations } from '@innkeeper/contract/agent/operations'
import { eq } from 'drizzle-orm'
import * as z from 'zod'
import type { Db } from '../../../kit/db/db.ts'
import { nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { action } from '../../../kit/work/action.ts'
import { mailboxes, mailMoves } from '../tables.ts'

export const mailFolderPull = action('mail-folder.pull', operations['mail-folder.pull'], {
  title: 'Copy mail',
  lane: 'long',
  what: ({ mode }) => (mode === 'seed' ? 'all mail, while the domain receives more' : 'changes since the first copy'),
})
export const mailKeysPack = action('mail-keys.pack', operations['mail-keys.pack'], {
  title: 'DKIM keys',
  what: ({ domain, selectors }) => `${selectors.join(', ')} of ${domain}`,
})
export const mailKeysTake = action('mail-keys.take', operations['mail-keys.take'], {
  title: 'DKIM keys',
  what: ({ domain, selectors }) => `${selectors.join(', ')} of ${domain}, as on its former server`,
})
export const mailQueueFlush = action('mail-queue.flush', operations['mail-queue.flush'], {
  title: 'Queue',
  what: ({ domain }) => `sends the queued mail of ${domain} on`,
})

const received = 'The new server has already received mail: continue, or move the domain back afterwards'

/** From here on, the new server has the domain. A rollback would lose the mail that it receives. */
export const mailTakeOver = action('mail-move.take-over', z.object({ moveId: z.int() }), {
  title: 'Take over',
  what: () => 'Innkeeper records the new server; afterwards, only another move can return the domain',
  async run({ moveId }, { app, fence }) {
    fence()
    return app.db.transaction((tx) => takeOver(tx, moveId))
  },
  async undo() {
    throw new Error(received)
  },
  noWayBack: received,
  inspect: async () => 'no', // repeating changes nothing
})

async function takeOver(tx: Db, moveId: number): Promise<{ serverId: number }> {
  const [move] = await tx.select().from(mailMoves).where(eq(mailMoves.id, moveId)).for('update')
  if (!move) throw new Error(`the move ${moveId} no longer exists`)
  // a later step brings the certificate; one that was issued meanwhile is installed by the schedule
  const certificate = { tlsFingerprint: null, tlsLookAt: new Date().toISOString() }
  await tx
    .update(mailboxes)
    .set({ serverId: move.targetId, ...certificate, ...nextVersion })
    .where(eq(mailboxes.id, move.mailboxId))
  if (!move.movedAt)
    await tx
      .update(mailMoves)
      .set({ movedAt: new Date().toISOString(), ...nextVersion })
      .where(eq(mailMoves.id, moveId))
  await changed(tx, 'mailboxes', move.mailboxId)
  return { serverId: move.targetId }
}
