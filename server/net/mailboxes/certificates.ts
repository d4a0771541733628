import { eq, inArray, sql } from 'drizzle-orm'
import { holdersOf } from '../../access/notifications/holders.ts'
import { notify } from '../../access/notifications/notify.ts'
import type { App } from '../../kit/app/app.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { changed } from '../../kit/live/live.ts'
import { type PlanStep, secret, step } from '../../kit/work/action.ts'
import { automatic, nextTry } from '../../kit/work/automatic.ts'
import { eachOf } from '../../kit/work/round.ts'
import { onAnyEnd, onEndTouching } from '../../kit/work/workflow.ts'
import { mailTlsEnsure } from './actions.ts'
import { begun } from './startWorkflow.ts'
import { mailItself } from './steps.ts'
import { mailboxes } from './tables.ts'

/** Maximum number of mail domains that one round compares, and of workflows that it starts. */
const MOST = 500
const AT_ONCE = 20
const SOON = sql`now() + interval '1 minute'`

interface Due {
  id: number
  domain: string
  server: number
  chain: string
  key: string
  print: string
  able: boolean
}

/**
 * Gives mail hosts the certificates of their websites that cover them, after an issue, renewal or upload. Compares mail
 * domains that are due (`tlsLookAt`): once a day, soon after each workflow of the website or the mail domain, and after
 * a pause when the last attempt failed. Returns the number of differences.
 */
export async function installCertificates(app: App): Promise<number> {
  const looked = await rows<{ id: number }>(
    app.db,
    sql`update mailboxes set tls_look_at = now() + (0.5 + random()) * interval '1 day' where mailbox_id in (
        select mailbox_id from mailboxes where deleted_at is null and website_id is not null and tls_look_at <= now()
        order by tls_look_at limit ${MOST} for update skip locked) returning mailbox_id as id`,
  )
  if (!looked.length) return 0
  const due = await differences(
    app.db,
    looked.map(({ id }) => id),
  )
  const later = [...due.slice(AT_ONCE), ...due.filter(({ able }) => !able)].map(({ id }) => id)
  const again = ({ id }: Due) => later.push(id)
  await eachOf(
    app,
    'a mail host could not get the certificate of its website',
    due.slice(0, AT_ONCE).filter(({ able }) => able),
    (one) => app.db.transaction((tx) => install(tx, one)),
    { refused: again, failed: again },
  )
  if (later.length) await app.db.update(mailboxes).set({ tlsLookAt: SOON }).where(inArray(mailboxes.id, later))
  return due.length
}

/** The certificate `c` that the mail host of the domain `m` should have: the best of its website that names the host. */
const best = sql`join lateral (select * from certificates c where c.website_id = m.website_id and c.deleted_at is null
  and c.state = 'active' and c.chain is not null and c.secret is not null and c.fingerprint is not null
  and c.not_after > now() and c.names && array['mail.' || m.domain, '*.' || m.domain]
  order by c.kind = 'self-signed', c.not_after desc limit 1) c on true`

/** Mail domains whose website has a better certificate for the mail host than the one in use. */
const differences = (db: Db, ids: number[]): Promise<Due[]> =>
  rows<Due>(
    db,
    sql`select m.mailbox_id as id, m.domain, m.server_id as server, c.chain, c.secret as key, c.fingerprint as print,
        coalesce('mail-tls.ensure' = any(t.operations), false) as able
      from mailboxes m left join server_states t on t.server_id = m.server_id ${best}
      where m.mailbox_id = any(${sql.param(ids)}::int[]) and m.deleted_at is null and m.state = 'applied'
        and c.fingerprint is distinct from m.tls_fingerprint
      order by m.mailbox_id`,
  )

/** Includes the base configuration, because that of an older agent does not support certificates of mail hosts. */
async function install(tx: Db, { id, server, print, ...certificate }: Due): Promise<void> {
  await tx.update(mailboxes).set({ tlsTried: print }).where(eq(mailboxes.id, id))
  const plan = [...(await mailItself(tx, server, { base: true })), tlsStep({ id, server, ...certificate })]
  await begun(tx, id, 'mailbox.certificate', { id: null, name: 'Innkeeper' }, plan, 'same')
}

/**
 * For a move, before names lead to the new server: the certificate of the mail host there. Without it, mail programs and
 * servers that require TLS would meet the server's own until the next comparison.
 */
export async function certificateThere(tx: Db, mailboxId: number, server: number): Promise<PlanStep[]> {
  const found = await rows<Omit<Due, 'able'>>(
    tx,
    sql`select m.mailbox_id as id, m.domain, ${server}::int as server, c.chain, c.secret as key, c.fingerprint as print
      from mailboxes m join server_states t on t.server_id = ${server} ${best}
      where m.mailbox_id = ${mailboxId} and 'mail-tls.ensure' = any(t.operations)`,
  )
  for (const { print } of found) await tx.update(mailboxes).set({ tlsTried: print }).where(eq(mailboxes.id, mailboxId))
  return found.map(tlsStep)
}

const tlsStep = ({ id, domain, server, chain, key }: Pick<Due, 'id' | 'domain' | 'server' | 'chain' | 'key'>) =>
  step(
    mailTlsEnsure,
    { mailboxId: id, domain, chain, privateKey: secret(key) },
    { server, resource: { type: 'mailbox-certificate', id, name: `mail.${domain}` } },
  ) satisfies PlanStep

/** Declares the workflows of this file, for domain.ts. */
export function mailCertificateWorkflows(): void {
  automatic('mailbox.certificate', async (tx, { subjectId: id, subjectName }, { why, failures }) => {
    const next = nextTry(failures)
    await tx.update(mailboxes).set({ tlsProblem: why, tlsLookAt: next.toISOString() }).where(eq(mailboxes.id, id))
    await changed(tx, 'mailboxes', id)
    if (failures > 1) return
    await notify(tx, {
      to: await holdersOf(tx, 'mailbox:mailbox:update'),
      reason: 'certificate',
      level: 'warning',
      title: `The mail host of ${subjectName} does not get its certificate`,
      body: `${why}. Innkeeper tries again by itself, the first time in five minutes.`,
      link: `/mailboxes/edit/${id}`,
    })
  })

  /** A workflow of a website or mail domain may change which certificate is the right one, so the domain becomes due. */
  onEndTouching(
    ['certificate', 'old-certificate', 'mailbox'],
    async (tx, { kind, subjectType, subjectId }, outcome) => {
      if (kind === 'mailbox.certificate' || (outcome !== 'done' && outcome !== 'rolled-back')) return
      const of = { website: mailboxes.websiteId, mailbox: mailboxes.id }[subjectType]
      if (of) await tx.update(mailboxes).set({ tlsLookAt: sql`now()` }).where(eq(of, subjectId))
    },
  )
  /** Records which certificate the mail host uses. */
  onAnyEnd(async (tx, { id: workflowId, kind, subjectId }, outcome) => {
    if (!kind.startsWith('mailbox.') || outcome !== 'done') return
    const noted = await rows(
      tx,
      sql`update mailboxes m set tls_fingerprint = c.fingerprint, tls_not_after = c.not_after, tls_issuer = c.issuer,
        tls_problem = null
      from actions a, certificates c
      where m.mailbox_id = ${subjectId} and a.workflow_id = ${workflowId} and a.name = 'mail-tls.ensure'
        and a.status = 'done' and c.website_id = m.website_id and c.fingerprint = m.tls_tried returning m.mailbox_id`,
    )
    if (noted.length) await changed(tx, 'mailboxes', subjectId)
  })
}
