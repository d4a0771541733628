import { wait } from '../../../kit/home/wait.ts'
import { apiOf } from '../api.ts'

export default wait(apiOf('chat').queue.query({ itemsPerPage: 1 }), ({ total }) => ({
  count: total,
}))
