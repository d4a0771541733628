import { eq, sql } from 'drizzle-orm'
import type { App } from '../kit/app/app.ts'
import { rows } from '../kit/db/db.ts'
import { Refusal } from '../kit/http/errors.ts'
import { secret, step } from '../kit/work/action.ts'
import { mailTlsEnsure } from './actions.ts'
import { begun } from './startWorkflow.ts'
import { mailboxes } from './tables.ts'

const AT_ONCE = 20

/**
 * Gives mail hosts the certificates of their websites that cover them: issued, renewed or uploaded meanwhile. One that
 * could not be installed is not tried again by itself; people apply the mail domain again. Returns the number of mail
 * domains.
 */
export async function installCertificates(app: App): Promise<number> {
  const due = await rows<{ id: number; domain: string; server: number; chain: string; key: string; print: string }>(
    app.db,
    sql`select m.mailbox_id as id, m.domain, m.server_id as server, c.chain, c.secret as key, c.fingerprint as print
      from mailboxes m join server_states t on t.server_id = m.server_id and 'mail-tls.ensure' = any(t.operations)
        join lateral (select * from certificates c where c.website_id = m.website_id and c.deleted_at is null
          and c.state = 'active' and c.chain is not null and c.secret is not null and c.fingerprint is not null
          and c.not_after > now() and c.names && array['mail.' || m.domain, '*.' || m.domain]
          order by c.kind = 'self-signed', c.not_after desc limit 1) c on true
      where m.deleted_at is null and m.state = 'applied' and c.fingerprint is distinct from m.tls_fingerprint
        and c.fingerprint is distinct from m.tls_tried
      order by m.mailbox_id limit ${AT_ONCE}`,
  )
  for (const { id, domain, server, chain, key, print } of due)
    await app.db
      .transaction(async (tx) => {
        await tx.update(mailboxes).set({ tlsTried: print }).where(eq(mailboxes.id, id))
        const install = step(
          mailTlsEnsure,
          { mailboxId: id, domain, chain, privateKey: secret(key) },
          { server, resource: { type: 'mailbox-certificate', id, name: `mail.${domain}` } },
        )
        await begun(tx, id, 'mailbox.certificate', { id: null, name: 'Innkeeper' }, [install], 'same')
      })
      .catch((error: unknown) => {
        if (!(error instanceof Refusal)) throw error // another workflow has the lock: the next round tries again
      })
  return due.length
}
