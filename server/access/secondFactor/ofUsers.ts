import type { users as contract } from '@innkeeper/contract/access/users/calls'
import type { Handlers } from '../../kit/http/api.ts'
import { refused } from '../../kit/http/errors.ts'
import { changed } from '../../kit/live/live.ts'
import { readSignIn } from '../providers/settings.ts'
import { notifyOfSignIn } from '../rights/notices.ts'
import { mayLetIn } from '../rights/rights.ts'
import { findUser } from '../users/write.ts'
import { forgetSecondFactor } from './verify.ts'

/** The call of the domain users that removes somebody else's second factor. */
export const secondFactorOfUsers: Pick<Handlers<typeof contract>, 'dropSecondFactor'> = {
  async dropSecondFactor({ id }, context) {
    const { db, app } = context
    const user = await findUser(context, id)
    await mayLetIn(context, user)
    if ((await readSignIn(db)).twoForRecovery)
      throw refused('Two people together remove a second factor: ask for a recovery of the account')
    await forgetSecondFactor(db, id)
    await app.sessions.touch(db, id)
    await notifyOfSignIn(context, user, 'The second factor was removed')
    await changed(db, 'users', id)
  },
}
