import { type PlanStep, secret, step } from '../../kit/work/action.ts'
import { folderOf } from '../websites/folders.ts'
import { onSite, type Site } from '../websites/siteSteps.ts'
import { siteConfigAdapt } from './actions.ts'
import type { Account } from './read.ts'

interface InUse {
  /** Name of the database in the configuration before the step; `name` is the name afterwards. */
  was: string
  name: string
  account: Pick<Account, 'username' | 'secret'>
  /** Name of the secret with the new password. Absent: the password stays. */
  secret?: string
}

/**
 * Step that writes names and passwords of databases into the configuration of known applications. Only files that name
 * both the database and the account change; other files that name the database are listed.
 */
export const configSteps = (site: Site, inUse: InUse[]): PlanStep[] =>
  inUse.length
    ? [
        step(
          siteConfigAdapt,
          {
            username: site.systemUser.username,
            path: folderOf(site),
            databases: inUse.map(({ was, name, account, secret: next }) => ({
              was,
              wasUser: account.username,
              name,
              user: account.username,
              // a reference: the password is inserted when the agent claims the action
              password: secret(next ?? account.secret) as unknown as string,
            })),
          },
          onSite(site, 'site-config'),
        ),
      ]
    : []
