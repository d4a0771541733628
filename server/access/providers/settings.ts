import type { SignInSettings } from '@innkeeper/contract/access/providers'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import { personName } from '../../kit/db/people.ts'
import { Refusal } from '../../kit/http/errors.ts'

const initial: SignInSettings = {
  version: 1,
  passwords: true,
  breakGlassId: null,
  breakGlassName: null,
  twoForRecovery: false,
}

/** How people sign in. `lock`: keeps others from changing the settings until the transaction ends. */
export async function readSignIn(db: Db, { lock = false } = {}): Promise<SignInSettings> {
  if (lock) await db.execute(sql`insert into sign_in_settings ("only") values (1) on conflict do nothing`)
  const [found] = await rows<SignInSettings>(
    db,
    sql`select s.version, s.passwords, s.two_for_recovery as "twoForRecovery", s.break_glass_id as "breakGlassId",
        ${personName('u')} as "breakGlassName"
      from sign_in_settings s left join users u on u.user_id = s.break_glass_id ${lock ? sql`for update of s` : sql``}`,
  )
  return found ?? initial
}

/** Refuses passwords where they are switched off, except that of the break-glass administrator. */
export async function checkPasswords(db: Db, userId: number | undefined): Promise<void> {
  const { passwords, breakGlassId } = await readSignIn(db)
  if (passwords || (userId !== undefined && userId === breakGlassId)) return
  throw new Refusal(403, {
    code: 'passwords-off',
    message: 'Passwords are switched off. Sign in by your identity provider or with a passkey.',
  })
}
