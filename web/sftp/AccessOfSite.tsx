import type { Website } from '@innkeeper/contract/websites'
import { useLastWorkflow } from '../workflows/useLastWorkflow.ts'
import { WorkflowPane } from '../workflows/WorkflowPane.tsx'
import Access from './Access.tsx'

/** Its files are its account's, and so are the way to them and the work on that. */
export default function AccessOfSite({ website: { systemUserId } }: { website: Website }) {
  const workflow = useLastWorkflow('system-user', systemUserId)
  const atWork = workflow && (workflow.endedAt === null || workflow.status === 'failed')
  return (
    <>
      <Access systemUserId={systemUserId} />
      {atWork && <WorkflowPane workflow={workflow} />}
    </>
  )
}
