import type { secondFactor } from '@innkeeper/contract/access/secondFactor'
import { sql } from 'drizzle-orm'
import { isoOf } from '../../kit/db/columns.ts'
import { rows } from '../../kit/db/db.ts'
import type { Context, Handlers } from '../../kit/http/api.ts'
import { invalid, Refusal, refused } from '../../kit/http/errors.ts'
import { changed } from '../../kit/live/live.ts'
import { confirmPassword } from '../users/signIn/confirmPassword.ts'
import { secondFactors } from './tables.ts'
import { newSecret, stepOf, uriOf } from './totp.ts'
import {
  checkSecondFactor,
  forgetAuthenticator,
  hasAuthenticator,
  hasSecondFactor,
  makeBackupCodes,
  pendingOf,
  secretOf,
} from './verify.ts'

/** The caller's own second factor. */
export const secondFactorHandlers: Handlers<typeof secondFactor> = {
  async read(_, { db, staff }) {
    const [found] = await rows<{ since: string | Date | null; backupCodesLeft: number; required: boolean }>(
      db,
      sql`select f.confirmed_at as since, coalesce(r.requires_second_factor, false) as required,
          (select count(*)::int from backup_codes b where b.user_id = u.user_id and b.used_at is null) as "backupCodesLeft"
        from users u left join roles r on r.role_id = u.role_id
        left join second_factors f on f.user_id = u.user_id
        where u.user_id = ${staff.id}`,
    )
    const since = found?.since ? isoOf(found.since) : null
    return {
      enabled: since !== null,
      since,
      backupCodesLeft: found?.backupCodesLeft ?? 0,
      required: found?.required ?? false,
    }
  },

  async begin({ password }, context) {
    const { app, staff, lastly } = context
    if (await hasAuthenticator(app.db, staff.id))
      throw refused('Your second factor is on. Turn it off before you set up another.')
    await confirmPassword(context, 'password', password)
    const secret = newSecret()
    await lastly((tx) => app.secrets.write(tx, pendingOf(staff.id), secret))
    return { secret, uri: uriOf(secret, staff.username) }
  },

  async confirm({ code }, { app, db, staff, now }) {
    const pending = await app.secrets.readKept(db, pendingOf(staff.id))
    if (!pending) throw refused('No setup is in progress. Start again.')
    const step = stepOf(pending, code.replace(/\s/g, ''), now)
    if (step === undefined) throw invalid({ code: 'This code is not valid now. Check the clock of your phone.' })
    await app.secrets.write(db, secretOf(staff.id), pending)
    await app.secrets.remove(db, pendingOf(staff.id))
    const values = { confirmedAt: sql`now()`, lastStep: step }
    await db
      .insert(secondFactors)
      .values({ userId: staff.id, ...values })
      .onConflictDoUpdate({ target: secondFactors.userId, set: values })
    const backupCodes = await makeBackupCodes(db, staff.id) // also those that a passkey brought
    await app.sessions.touch(db, staff.id) // the required second factor is now set up
    await changed(db, 'users', staff.id)
    return { backupCodes }
  },

  async remove({ password, code }, context) {
    const { app, staff, lastly } = context
    const [role] = await rows<{ name: string }>(
      app.db,
      sql`select r.name from users u join roles r on r.role_id = u.role_id
        where u.user_id = ${staff.id} and r.requires_second_factor
          and not exists (select from passkeys k where k.user_id = u.user_id)`,
    )
    if (role) throw refused(`Your role ${role.name} requires a second factor`)
    await confirmBoth(context, { password, code })
    await lastly(async (tx) => {
      await forgetAuthenticator(tx, staff.id)
      await changed(tx, 'users', staff.id)
    })
  },

  async backupCodes({ password, code }, context) {
    const { staff, lastly } = context
    await confirmBoth(context, { password, code })
    return { backupCodes: await lastly((tx) => makeBackupCodes(tx, staff.id)) }
  },
}

/**
 * Requires password and code, so that a stolen session, even with the password, can neither remove the second factor
 * nor make backup codes.
 */
async function confirmBoth(context: Context, given: { password: string; code: string }): Promise<void> {
  const { app, staff } = context
  if (!(await hasSecondFactor(app.db, staff.id))) throw refused('Your second factor is off')
  await confirmPassword(context, 'password', given.password, () =>
    checkSecondFactor(app, app.db, staff.id, given.code).catch((error: unknown) => {
      // 401 would sign the caller out
      throw error instanceof Refusal ? refused(String(error.body.message), error.body.fields) : error
    }),
  )
}
