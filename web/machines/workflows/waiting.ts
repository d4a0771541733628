import { wait } from '../../kit/home/wait.ts'
import { pathOf } from '../../paths.ts'
import { workflowsApi } from './api.ts'

export default wait(
  workflowsApi.list.query({ mine: 'true', status: ['failed'], itemsPerPage: 1 }),
  ({ items: [first], total }) => ({
    count: total,
    to: first && pathOf(first.subjectType, first.subjectId, first.subjectName),
  }),
)
