import type { users as contract } from '@innkeeper/contract/users'
import type { Handlers } from '../kit/http/api.ts'
import { changed } from '../kit/live/live.ts'
import { mayLetIn } from '../rights/rights.ts'
import { findUser } from '../users/write.ts'
import { forgetSecondFactor } from './verify.ts'

/** The call of the domain users that removes somebody else's second factor. */
export const secondFactorOfUsers: Pick<Handlers<typeof contract>, 'dropSecondFactor'> = {
  async dropSecondFactor({ id }, context) {
    const { db, staff, app } = context
    await mayLetIn(db, staff, await findUser(context, id))
    await forgetSecondFactor(db, id)
    await app.sessions.touch(db, id)
    await changed(db, 'users', id)
  },
}
