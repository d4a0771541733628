import type { PhpParameters } from '@innkeeper/contract/hosting/phpParameters'
import { sql } from 'drizzle-orm'
import { phpPoolEnsure } from '../../../hosting/systemUsers/actions.ts'
import type { AccountPart } from '../../../hosting/systemUsers/parts.ts'
import { heldMail, poolSize } from '../../../hosting/systemUsers/steps.ts'
import { rows } from '../../../kit/db/db.ts'
import { step } from '../../../kit/work/action.ts'

interface OwnPool {
  id: number
  domain: string
  phpVersion: string
  kind: string
  parameters: PhpParameters
}

/** PHP pools of single websites, whose size depends on the plan of the account. */
export const ownPoolsOfAccount: AccountPart = {
  order: 31,
  async resize(db, { id: accountId, username, server, plan }) {
    const found = await rows<OwnPool>(
      db,
      sql`select w.website_id as id, w.domain, w.php_version as "phpVersion", w.kind, v.php_parameters as parameters
        from websites w join origin_vhosts v on v.website_id = w.website_id and v.php_parameters <> '{}'
        where w.system_user_id = ${accountId} and w.deleted_at is null order by w.website_id`,
    )
    return found.map(({ id, domain, phpVersion, kind, parameters }) =>
      step(
        phpPoolEnsure,
        {
          username,
          phpVersion,
          website: id,
          ...poolSize(plan.memoryMb),
          parameters,
          ...(kind === 'staging' && heldMail),
        },
        { server: server.id, resource: { type: 'own-php-pool', id, name: domain } },
      ),
    )
  },
}
