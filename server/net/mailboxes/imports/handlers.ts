import type { mailboxes as contract } from '@innkeeper/contract/net/mailboxes/calls'
import { eq, sql } from 'drizzle-orm'
import { secrets } from '../../../kit/app/tables.ts'
import { rows } from '../../../kit/db/db.ts'
import type { Handlers } from '../../../kit/http/api.ts'
import { automatic } from '../../../kit/work/automatic.ts'
import { onAnyEnd } from '../../../kit/work/workflow.ts'
import { holdUser, userAnswered } from '../startWorkflow.ts'
import { beginImport, KIND } from './begin.ts'
import { lateFailed, lateFetched } from './late.ts'

const keyOf = (userId: number) => `mail-import/${userId}`

export const importHandlers: Pick<Handlers<typeof contract>, 'importMail'> = {
  async importMail({ id, password, version, port, ...source }, context) {
    const { db, app, staff } = context
    const { mailbox, user } = await holdUser(context, id, version)
    await app.secrets.write(db, keyOf(id), password)
    const from = { ...source, port: Number(port), key: keyOf(id) }
    const workflowId = await beginImport(db, { mailbox, user, from, by: staff })
    context.status(202)
    return userAnswered(context, id, workflowId)
  },
}

/** Declares the workflows of this file, for domain.ts. The password is forgotten when an import ends. */
export function importWorkflows(): void {
  automatic(KIND, lateFailed)
  onAnyEnd(async (tx, { id: workflowId, kind, startedById }, outcome) => {
    if (kind !== KIND) return
    if (startedById === null) return outcome === 'done' ? lateFetched(tx, workflowId) : undefined
    const [found] = await rows<{ id: number }>(
      tx,
      sql`select resource_id as id from actions where workflow_id = ${workflowId} and name = 'mail-import.run'`,
    )
    if (found) await tx.delete(secrets).where(eq(secrets.name, keyOf(found.id)))
  })
}
