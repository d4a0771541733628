import { session } from '../../kit/access/session.ts'
import { wait } from '../../kit/home/wait.ts'
import { recoveryApi } from './api.ts'

/** Recoveries that another person asked for: nobody confirms their own. */
export default wait(recoveryApi.list.query({ itemsPerPage: 50 }), ({ items }) => ({
  count: items.filter(({ ending, askedById }) => !ending && askedById !== session.user.id).length,
}))
