import type { Website } from '@innkeeper/contract/hosting/websites'
import { useLastWorkflow } from '../../machines/workflows/useLastWorkflow.ts'
import { WorkflowPane } from '../../machines/workflows/WorkflowPane.tsx'
import Access from './Access.tsx'

/** The SFTP access on the page of a website, which shares its account's access and workflow. */
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
