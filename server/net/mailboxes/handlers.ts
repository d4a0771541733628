import type { mailboxes as contract } from '@innkeeper/contract/net/mailboxes/calls'
import { eq, sql } from 'drizzle-orm'
import type { Handlers } from '../../kit/http/api.ts'
import { invalid, refused } from '../../kit/http/errors.ts'
import { aliasHandlers } from './aliases.ts'
import { checkDomain, checkExist, refuseStrangers, serverFor, websiteFor, withinPlanOf } from './create.ts'
import { dnsHandlers } from './dns.ts'
import { serverHandlers } from './guessers.ts'
import { hashesName } from './hashes.ts'
import { refuseImported } from './imports/begin.ts'
import { csvHandlers } from './imports/csv.ts'
import { importHandlers } from './imports/handlers.ts'
import { FIRST_SELECTOR, keyHandlers, keyStep } from './keys.ts'
import { listMailboxes, listUsers } from './list.ts'
import { refuseCatchAllLoop } from './loops.ts'
import { moveHandlers } from './moves/handlers.ts'
import { passwordHandlers } from './passwords.ts'
import { readDetails } from './read.ts'
import { readUser } from './readUsers.ts'
import { reportHandlers } from './reports/handlers.ts'
import { senderHandlers } from './senders/handlers.ts'
import { answered, applied, begun, hold, replaceStopped } from './startWorkflow.ts'
import { statusOf } from './status.ts'
import { mailItself, removeStep, rowOf } from './steps.ts'
import { mailboxes, mailKeys } from './tables.ts'
import { traceHandlers } from './trace.ts'
import { readTrash, trashHandlers } from './trash.ts'
import { userHandlers } from './users.ts'

const numberOrNull = (typed: number | string | null) => (typed === null ? null : Number(typed))

export const mailboxesHandlers: Handlers<typeof contract> = {
  ...userHandlers,
  ...passwordHandlers,
  ...aliasHandlers,
  ...trashHandlers,
  ...dnsHandlers,
  ...keyHandlers,
  ...traceHandlers,
  ...moveHandlers,
  ...serverHandlers,
  ...senderHandlers,
  ...reportHandlers,
  ...importHandlers,
  ...csvHandlers,
  list: (input, { db }) => listMailboxes(db, input),
  users: (input, { db }) => listUsers(db, input),
  one: ({ id }, { db }) => readDetails(db, id),
  user: ({ id }, { db }) => readUser(db, id),
  async trash({ websiteId }, { db }) {
    const items = await readTrash(db, websiteId)
    return { items, total: items.length }
  },

  async create({ domain: typed, websiteId, serverId: asked, again }, context) {
    const { db, app, staff } = context
    if (typed === undefined && websiteId === undefined) throw invalid({ domain: 'Required without a website' })
    const { website, domain } =
      websiteId === undefined
        ? { website: undefined, domain: typed ?? '' } // checked above
        : await websiteFor(db, websiteId, typed)
    await refuseStrangers(db, domain, website?.ownerId ?? null)
    await checkDomain(db, domain, again)
    const serverId = await serverFor(db, asked, website)
    const [made] = await db
      .insert(mailboxes)
      .values({ domain, websiteId: websiteId ?? null, serverId, createdBy: staff.id })
      .returning({ id: mailboxes.id })
    if (!made) throw new Error('an insert answered no row')
    await app.secrets.write(db, hashesName(made.id), '{}')
    await db.insert(mailKeys).values({ mailboxId: made.id, selector: FIRST_SELECTOR, signs: true })
    const before = [...(await mailItself(db, serverId)), keyStep({ id: made.id, domain, serverId }, FIRST_SELECTOR)]
    return answered(context, made.id, await applied(db, made.id, 'mailbox.create', staff, { before }), 201)
  },

  async update({ id, catchAll, websiteId, spamScore, hourlyLimit, version }, context) {
    const { db, staff } = context
    const mailbox = await hold(context, id, version)
    if (catchAll) await checkExist(db, { ...mailbox, catchAll: null }, [catchAll], 'catchAll')
    if (websiteId !== undefined && websiteId !== null) {
      const { website } = await websiteFor(db, websiteId, mailbox.domain)
      await refuseStrangers(db, mailbox.domain, website.ownerId)
    }
    const given = {
      ...(catchAll !== undefined && { catchAll }),
      ...(websiteId !== undefined && { websiteId }),
      ...(spamScore !== undefined && { spamScore: numberOrNull(spamScore) }),
      ...(hourlyLimit !== undefined && { hourlyLimit: numberOrNull(hourlyLimit) }),
    }
    if (!Object.keys(given).length) {
      context.status(200)
      return { data: mailbox, workflowId: null }
    }
    await withinPlanOf(db, websiteId ?? null, 'websiteId', () =>
      db.update(mailboxes).set(given).where(eq(mailboxes.id, id)),
    )
    if (catchAll) await refuseCatchAllLoop(db, { domain: mailbox.domain, catchAll }, 'catchAll')
    return answered(context, id, await applied(db, id, 'mailbox.change', staff))
  },

  async toggle({ id, version, ...wanted }, context) {
    const { db, staff, now } = context
    const mailbox = await hold(context, id, version)
    const status = statusOf(wanted, now, { mayLackReason: true })
    if (wanted.status === 'active' && mailbox.status === 'active')
      throw refused(`${mailbox.domain} is already active`, { status: 'Already active' })
    await db.update(mailboxes).set(status).where(eq(mailboxes.id, id))
    return answered(context, id, await applied(db, id, 'mailbox.toggle', staff))
  },

  async apply({ id }, context) {
    const { db, staff } = context
    const mailbox = await hold(context, id)
    await replaceStopped(db, id, staff.name)
    // the server may have been set up again, and then needs the certificate too
    await db.update(mailboxes).set({ tlsFingerprint: null, tlsTried: null }).where(eq(mailboxes.id, id))
    const keys = await db.select().from(mailKeys).where(eq(mailKeys.mailboxId, id))
    const before = [
      ...(await mailItself(db, mailbox.serverId, { base: true })),
      ...keys.map(({ selector }) => keyStep(mailbox, selector)),
    ]
    return answered(context, id, await applied(db, id, 'mailbox.change', staff, { before }))
  },

  async remove({ id, version, domain }, context) {
    const { db, app, staff } = context
    const mailbox = await hold(context, id, version)
    if (domain !== undefined && domain !== mailbox.domain)
      throw refused(`${domain} is not ${mailbox.domain}`, { domain: `Type ${mailbox.domain}` })
    if (mailbox.move) throw refused(`${mailbox.domain} has a move that has not ended: end the move first`)
    await refuseImported(db, 'domain', id, mailbox.domain)
    const { trashDays } = app.settings
    await db
      .update(mailboxes)
      .set({ purgeAfter: sql`now() + make_interval(days => ${trashDays}::int)` })
      .where(eq(mailboxes.id, id))
    const plan = [removeStep(await rowOf(db, id), trashDays)]
    return answered(context, id, await begun(db, id, 'mailbox.delete', staff, plan, 'deleting'))
  },
}
