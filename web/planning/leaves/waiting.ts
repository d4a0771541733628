import { wait } from '../../kit/home/wait.ts'
import { leavesApi } from './api.ts'

export default wait(leavesApi.pending.query({ mine: 'true', itemsPerPage: 1 }), ({ total }) => ({
  count: total,
}))
