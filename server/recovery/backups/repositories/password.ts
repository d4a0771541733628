import { randomBytes } from 'node:crypto'
import type { backups as contract } from '@innkeeper/contract/recovery/backups/calls'
import { eq, sql } from 'drizzle-orm'
import { liveRead } from '../../../kit/agents/liveRead.ts'
import type { App } from '../../../kit/app/app.ts'
import { rows } from '../../../kit/db/db.ts'
import type { Handlers } from '../../../kit/http/api.ts'
import { notFound, Refusal, refused } from '../../../kit/http/errors.ts'
import { checkVersion, nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { secret } from '../../../kit/work/action.ts'
import { note } from '../record.ts'
import { backupRepositories } from '../tables.ts'
import { type Access, accessTo, localOf } from './access.ts'
import { readRepository } from './view.ts'

export const passwordHandlers = {
  async reveal({ id }, { db, app, audit }) {
    const { account, address } = await readRepository(db, id)
    const access = await accessTo(db, id)
    audit.of('backup-repository', id)
    audit.action('reveal')
    audit.after({ account, shown: true })
    const [password, key] = [
      await app.secrets.read(db, access.password.$secret),
      await app.secrets.read(db, access.key.$secret),
    ]
    if (password === undefined || key === undefined || !address) throw notFound('password')
    const { at } = access.backupServer
    const of =
      's3' in at ? { username: at.s3.keyId, certificate: null } : { username: account, certificate: at.certificate }
    return { address, key, password, ...of }
  },

  async changePassword({ id, version, password }, { app, staff, audit, lastly }) {
    const repository = await readRepository(app.db, id)
    checkVersion(repository, version, repository.account)
    if (repository.status === 'removing') throw refused(`${repository.account} is being deleted`)
    const access = await accessTo(app.db, id)
    audit.of('backup-repository', id)
    audit.action('changePassword')
    await tryPassword(app, access, password)
    return lastly(async (tx) => {
      await tx.execute(sql`select 1 from backup_repositories where backup_repository_id = ${id} for update`)
      checkVersion(await readRepository(tx, id), version, repository.account)
      await app.secrets.write(tx, access.password.$secret, password)
      await tx.update(backupRepositories).set(nextVersion).where(eq(backupRepositories.id, id))
      audit.after({ account: access.account, opensWith: 'another password' })
      await note(tx, 'warning', `${staff.name} stored another password of ${access.account}`, { repositoryId: id })
      await changed(tx, 'backups')
      return readRepository(tx, id)
    })
  },
} satisfies Partial<Handlers<typeof contract>>

/** Secrets of passwords that are being tried begin with this. */
const TRIED = 'backup-password-tried:'

/** Deletes tried passwords that a killed process has left. Returns their number. */
export async function dropTried({ db }: App): Promise<number> {
  const found = await rows(
    db,
    sql`delete from secrets where starts_with(name, ${TRIED}) and created_at < now() - interval '5 minutes' returning 1`,
  )
  return found.length
}

/** Throws 422 beside the field unless the password opens the repository. */
async function tryPassword(app: App, access: Access, password: string): Promise<void> {
  const name = `${TRIED}${randomBytes(12).toString('hex')}`
  await app.secrets.write(app.db, name, password)
  try {
    const input = { ...localOf(access), password: secret(name) }
    await liveRead(app, access.backupServer.serverId, 'backup-repository.open', input)
  } catch (error) {
    if (error instanceof Refusal && error.message.includes('the password of the repository is wrong'))
      throw refused(`This password does not open ${access.account}`, { password: `Does not open ${access.account}` })
    throw error
  } finally {
    await app.secrets.remove(app.db, name)
  }
}
