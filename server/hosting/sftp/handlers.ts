import { randomInt } from 'node:crypto'
import { type sftp as contract, MOST_KEYS, type SftpAccess } from '@innkeeper/contract/hosting/sftp'
import { and, eq } from 'drizzle-orm'
import type { Context, Handlers } from '../../kit/http/api.ts'
import { conflict, invalid, notFound, refused } from '../../kit/http/errors.ts'
import { checkVersion, nextVersion } from '../../kit/http/version.ts'
import { changed } from '../../kit/live/live.ts'
import type { PlanStep } from '../../kit/work/action.ts'
import { start } from '../../kit/work/workflow.ts'
import { holdAccount, lockOf } from '../systemUsers/hold.ts'
import { remainsOf } from '../systemUsers/remains.ts'
import { systemUsers } from '../systemUsers/tables.ts'
import { readSystemUser } from '../systemUsers/view.ts'
import { readKey } from './key.ts'
import { KIND } from './lifecycle.ts'
import { accessStep, passwordName, sftpItself } from './steps.ts'
import { sftpAccess, sftpKeys } from './tables.ts'
import { closedText, readAccess } from './view.ts'

export const sftpHandlers: Handlers<typeof contract> = {
  read: ({ id }, { db }) => readAccess(db, id),

  async update({ id, on, version }, context) {
    const { db } = context
    const { access, holder } = await hold(context, id)
    checkVersion(access, version, `The access to ${access.username}`)
    if ((access.state === 'on') === on)
      throw refused(`SFTP of ${access.username} is already ${on ? 'on' : 'off'}`, { on: 'Already set' })
    await db
      .update(sftpAccess)
      .set({ state: on ? 'enabling' : 'disabling' })
      .where(eq(sftpAccess.systemUserId, id))
    const step = await accessStep(db, holder, on ? 'active' : 'suspended')
    return begin(context, access, on ? [...sftpItself(holder), step] : [step])
  },

  async addKey({ id, key, comment, expiresAt }, context) {
    const { db, staff, now } = context
    const { access, holder } = await hold(context, id)
    onlyWhereOn(access)
    const read = readKey(key)
    if (expiresAt && Date.parse(expiresAt) <= now.getTime()) throw invalid({ expiresAt: 'Is past' })
    if (access.keys.some(({ fingerprint }) => fingerprint === read.fingerprint))
      throw conflict(`${access.username} already has this key`, { fields: { key: 'Already exists' } })
    if (access.keys.length >= MOST_KEYS)
      throw refused(`An account has at most ${MOST_KEYS} keys`, { key: 'One too many' })
    await db.insert(sftpKeys).values({
      ...read,
      comment: comment ?? read.comment,
      systemUserId: id,
      addedBy: staff.name,
      createdBy: staff.id,
      state: 'adding',
      ...(expiresAt && { expiresAt: new Date(expiresAt).toISOString() }),
    })
    return begin(context, access, [await accessStep(db, holder, 'active')])
  },

  async removeKey({ id, key }, context) {
    const { db } = context
    const { access, holder } = await hold(context, id)
    const [going] = await db
      .update(sftpKeys)
      .set({ state: 'removing' })
      .where(and(eq(sftpKeys.id, key), eq(sftpKeys.systemUserId, id)))
      .returning({ id: sftpKeys.id })
    if (!going) throw notFound('key', key)
    return begin(context, access, [await accessStep(db, holder, access.state === 'on' ? 'active' : 'suspended')])
  },

  async setPassword({ id }, context) {
    const { db, app } = context
    const { access, holder } = await hold(context, id)
    onlyWhereOn(access)
    const password = newPassword()
    await app.secrets.write(db, passwordName(id), password)
    await db.update(sftpAccess).set({ passwordChange: 'setting' }).where(eq(sftpAccess.systemUserId, id))
    return { ...(await begin(context, access, [await accessStep(db, holder, 'active', 'new')])), password }
  },

  async removePassword({ id }, context) {
    const { db } = context
    const { access, holder } = await hold(context, id)
    if (!access.passwordSetAt) throw refused(`${access.username} has no password`)
    await db.update(sftpAccess).set({ passwordChange: 'removing' }).where(eq(sftpAccess.systemUserId, id))
    const state = access.state === 'on' ? 'active' : 'suspended'
    return begin(context, access, [await accessStep(db, holder, state, 'none')])
  },
}

/** Locks the account and reads its access until the transaction ends. Refuses for an account that is not active. */
async function hold({ db, staff, audit }: Context, id: number) {
  await holdAccount(db, id)
  const account = await readSystemUser(db, id)
  if (account.status !== 'active')
    throw refused(`${account.username} is ${account.status}: its access cannot be changed`)
  const remains = await remainsOf(db, id)
  if (remains) throw conflict(closedText(remains))
  await db.insert(sftpAccess).values({ systemUserId: id, createdBy: staff.id }).onConflictDoNothing()
  const access = await readAccess(db, id)
  audit.before(shown(access))
  return { access, holder: { id, username: account.username, serverId: account.serverId } }
}

function onlyWhereOn({ state, username }: SftpAccess): void {
  if (state !== 'on') throw refused(`SFTP of ${username} is off: turn it on first`)
}

/** Starts the workflow in the caller's transaction, with the account's lock. */
async function begin({ db, staff, audit }: Context, { systemUserId: id, username }: SftpAccess, plan: PlanStep[]) {
  const workflowId = await start(db, {
    kind: KIND,
    subject: { type: 'system-user', id, name: username },
    holder: staff.name,
    startedById: staff.id,
    plan,
    locks: [lockOf(id)],
  })
  await db
    .update(systemUsers)
    .set({ workflowId, ...nextVersion })
    .where(eq(systemUsers.id, id))
  await changed(db, 'sftp', id)
  await changed(db, 'systemUsers', id)
  const data = await readAccess(db, id)
  audit.of('system-user', id)
  audit.workflow(workflowId)
  audit.after(shown(data))
  return { data, workflowId }
}

/** Access for the action log, with keys as fingerprint and comment. */
const shown = ({ state, passwordSetAt, keys, username }: SftpAccess) => ({
  username,
  state,
  passwordSetAt,
  keys: keys.map(({ fingerprint, comment, state }) => `${fingerprint} ${comment} (${state})`),
})

/** 24 letters and digits without similar ones: about 139 bits. */
const newPassword = () => Array.from({ length: 24 }, () => letters[randomInt(letters.length)]).join('')
const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789'
