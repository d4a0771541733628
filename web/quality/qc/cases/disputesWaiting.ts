import { wait } from '../../../kit/home/wait.ts'
import { qcApi } from '../api.ts'

export default wait(
  qcApi.feedbacks.query({ type: 'dispute', status: 'open,in-progress', itemsPerPage: 1 }),
  ({ total }) => ({ count: total }),
)
