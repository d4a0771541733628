import type { Mailbox } from '@innkeeper/contract/net/mailboxes/calls'
import { useWorkflow } from '../../machines/workflows/useLastWorkflow.ts'
import { WorkflowPane } from '../../machines/workflows/WorkflowPane.tsx'

/** The workflow that brings the settings of a mail domain to its server, while it runs and when it has stopped. */
export default function LastWork({ mailbox: { workflowId } }: { mailbox: Mailbox }) {
  const workflow = useWorkflow(workflowId ?? undefined)
  return workflow ? <WorkflowPane workflow={workflow} /> : null
}
