import { sql } from 'drizzle-orm'
import type { App } from '../../kit/app/app.ts'
import { rows } from '../../kit/db/db.ts'

const DAYS = 7

/** Tells, once for each token, whoever has to rotate it before it expires: its owner, or the owner of its account. */
export async function notifyOfExpiry(app: App): Promise<void> {
  await app.db.transaction(async (tx) => {
    const soon = await rows<{ name: string; to: number; account: string | null; days: number }>(
      tx,
      sql`with soon as (select api_token_id from api_tokens
          where revoked_at is null and told_at is null and expires_at between now() and now() + make_interval(days => ${DAYS})
          order by expires_at limit 500 for update skip locked)
        update api_tokens t set told_at = now() from soon, users u left join service_accounts a on a.service_account_id = u.user_id
        where t.api_token_id = soon.api_token_id and u.user_id = t.user_id and u.deleted_at is null
        returning t.name, coalesce(a.owner_id, u.user_id) as to, case when u.is_service then u.first_name end as account,
          ceil(extract(epoch from t.expires_at - now()) / 86400)::int as days`,
    )
    for (const { name, to, account, days } of soon)
      await app.notify(tx, {
        to: [to],
        reason: 'programs',
        level: 'warning',
        title: `The token ${name} expires in ${days === 1 ? '1 day' : `${days} days`}`,
        body: `${account ? `Programs of ${account}` : 'Your programs'} stop working then. Rotate the token: its old value stays valid while you exchange it.`,
        link: '/tokens',
      })
  })
}
