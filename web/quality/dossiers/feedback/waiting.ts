import { wait } from '../../../kit/home/wait.ts'
import { feedbackApi } from '../api.ts'

export default wait(feedbackApi.mine.query({ waiting: 'true', itemsPerPage: 1 }), ({ waiting }) => ({
  count: waiting,
}))
