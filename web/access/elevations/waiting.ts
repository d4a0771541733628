import { session } from '../../kit/access/session.ts'
import { wait } from '../../kit/home/wait.ts'
import { elevationsApi } from './api.ts'

/** Requests of other people: nobody grants their own. */
export default wait(elevationsApi.list.query({ state: 'asked', itemsPerPage: 50 }), ({ items }) => ({
  count: items.filter(({ userId }) => userId !== session.user.id).length,
}))
