import { sql } from 'drizzle-orm'
import { rows } from '../../../kit/db/db.ts'
import type { Context } from '../../../kit/http/api.ts'
import { refused } from '../../../kit/http/errors.ts'
import { attempting, forgetAttempts } from './attempts.ts'
import { passwordFits } from './passwords.ts'

/**
 * Checks the caller's own password again before an operation that a stolen session must not allow. A refusal by
 * `further` counts as a wrong password.
 */
export async function confirmPassword(
  context: Context,
  field: string,
  password: string,
  further: () => Promise<void> = async () => {},
): Promise<void> {
  const { app, staff } = context
  await attempting(context, staff.username.toLowerCase(), async () => {
    const [found] = await rows<{ hash: string }>(
      app.db,
      sql`select password_hash as hash from users where user_id = ${staff.id}`,
    )
    if (!(await passwordFits(found?.hash, password)))
      throw refused('This is not your password', { [field]: 'Not your password' })
    await further()
    await forgetAttempts(app.db, staff.username)
  })
}
