import { X509Certificate } from 'node:crypto'
import { type RevocationReason, revocationReason } from '@innkeeper/contract/net/ssl/shapes'
import { and, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import * as z from 'zod'
import type { Db } from '../../../kit/db/db.ts'
import { refused } from '../../../kit/http/errors.ts'
import { nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { action, step, type Work } from '../../../kit/work/action.ts'
import { describe, onEnd, start } from '../../../kit/work/workflow.ts'
import { Acme } from '../acme/client.ts'
import { AcmeProblem } from '../acme/problem.ts'
import { certificateOrders, certificates } from '../tables.ts'
import { noteWorkflow } from '../workflow/issue.ts'
import { forget } from './deleteCertificates.ts'
import type { KeptCertificate } from './view.ts'

/** ACME codes of the reasons that a subscriber may give (RFC 5280 §5.3.1). */
const codes: Record<RevocationReason, number> = {
  unspecified: 0,
  keyCompromise: 1,
  affiliationChanged: 3,
  superseded: 4,
  cessationOfOperation: 5,
}

const wanted = z.object({ certificateId: z.int(), directory: z.url(), reason: revocationReason })

const revocation = action('certificate.revoke', wanted, {
  title: 'Revoke certificate',
  lane: 'long',
  what: ({ directory, reason }) => `at ${new URL(directory).host}: ${reason}`,
  run: revokeAtAuthority,
})

/**
 * Signs with the certificate's own key, which works at every authority, even one that lost our account (RFC 8555 §7.6).
 */
async function revokeAtAuthority(
  { certificateId, directory, reason }: z.output<typeof wanted>,
  { app, say, fence, signal }: Work,
) {
  const [kept] = await app.db.select().from(certificates).where(eq(certificates.id, certificateId))
  const key = kept?.secret ? await app.secrets.read(app.db, kept.secret) : undefined
  if (!kept?.chain || !key) throw new Error('Its key is no longer stored')
  const { acme, acmeCa: ca } = app.settings
  const authority = new Acme({ directory, accountKey: key, signal, ...(directory === acme && { ca }) })
  fence()
  await authority.revoke(new X509Certificate(kept.chain).raw, codes[reason]).catch((error: unknown) => {
    // an earlier attempt succeeded but its answer was lost
    if (!(error instanceof AcmeProblem) || error.type !== 'alreadyRevoked') throw error
  })
  say(`${authority.host} has revoked it: from now on, browsers that check revocation show a warning`)
}

/**
 * Starts a workflow that revokes a certificate and then deletes it with its keys. Runs in the caller's transaction,
 * with the row locked.
 */
export async function startRevoking(
  tx: Db,
  kept: KeptCertificate,
  reason: RevocationReason,
  by: { id: number | null; name: string },
): Promise<number> {
  const [issued] = await tx
    .select({ directory: certificateOrders.directory })
    .from(certificateOrders)
    .where(and(eq(certificateOrders.certificateId, kept.id), isNotNull(certificateOrders.chain)))
    .orderBy(desc(certificateOrders.id))
  const no = (text: string) => refused(text, { revoke: text })
  if (!kept.chain || !kept.secret) throw no(`The certificate is ${kept.state}: there is nothing to revoke`)
  if (!issued?.directory) throw no('No authority of ours has issued it: revoke it at the authority that did')
  const resource = { type: 'certificate', id: kept.id, name: kept.domain }
  const input = { certificateId: kept.id, directory: issued.directory, reason }
  const workflowId = await start(tx, {
    kind: 'certificate.revoke',
    subject: resource,
    holder: by.name,
    startedById: by.id,
    plan: [step(revocation, input, { resource })],
    locks: [],
  })
  await noteWorkflow(tx, kept.id, workflowId)
  await hold(tx, kept.id)
  await changed(tx, 'ssl', kept.id)
  return workflowId
}

/** Prevents use and renewal while the certificate is being revoked. */
const hold = (tx: Db, id: number) =>
  tx
    .update(certificates)
    .set({ state: 'revoked', renewAt: null, ...nextVersion })
    .where(eq(certificates.id, id))

/** Declares the workflows of this file, for domain.ts. */
export function revocationWorkflows(): void {
  describe('certificate.revoke', { title: 'Revoke certificate', doing: 'having a certificate revoked' })
  onEnd('certificate.revoke', async (tx, { subjectId }, outcome) => {
    if (outcome === 'done') await forget(tx, [subjectId])
    else if (outcome === 'running') await hold(tx, subjectId)
    else
      await tx
        .update(certificates)
        .set({ state: 'active', renewAt: sql`case when auto_renew then expiring_at end`, ...nextVersion })
        .where(and(eq(certificates.id, subjectId), isNull(certificates.deletedAt)))
    await changed(tx, 'ssl', subjectId)
  })
}
