import type { Mailbox } from '@innkeeper/contract/net/mailboxes/calls'
import { Alert, Group, Stack, Text } from '@mantine/core'
import { useReason } from '../../kit/access/reasons.ts'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { moment } from '../../kit/look/format.ts'
import { useWorkflow } from '../../machines/workflows/useLastWorkflow.ts'
import { WorkflowPane } from '../../machines/workflows/WorkflowPane.tsx'
import { retire } from './acts.ts'
import { mailboxesApi } from './api.ts'

/** Progress of the move of a mail domain, until its former server is cleared. */
export default function MoveState({ mailbox }: { mailbox: Mailbox }) {
  const lacking = useReason()
  const workflow = useWorkflow(mailbox.move?.workflowId ?? undefined)
  const { move, domain } = mailbox
  if (!move) return null
  const { state, fromName, toName, movedAt, waitsFor } = move
  const titles = {
    moving: `Moving from ${fromName} to ${toName}`,
    failed: `The move to ${toName} has stopped`,
    passing: `Moved to ${toName}`,
    retiring: `${fromName} is being cleared`,
  }
  const texts = {
    moving: movedAt
      ? `${toName} has taken over. ${fromName} will pass on mail that still arrives there.`
      : 'Its mail is being copied. It can be rolled back until the new server takes over.',
    failed: movedAt
      ? 'The new server has taken over: continue the workflow.'
      : 'Continue the workflow, or roll it back: the mail is still complete where it was.',
    passing: `Since ${movedAt ? moment(movedAt) : 'now'}. ${fromName} passes on mail and sign-ins until nothing refers to it any more. Then its copy goes into the trash there.`,
    retiring: `Its copy of the mail of ${domain} goes into the trash there.`,
  }
  return (
    <>
      <Alert color={state === 'failed' ? 'warning' : 'info'} title={titles[state]}>
        <Stack gap={6}>
          <Text>{texts[state]}</Text>
          {waitsFor && <Text c="dimmed">Now: {waitsFor}.</Text>}
          <Group gap={10}>
            {state === 'passing' && (
              <ActButton
                size="xs"
                variant="default"
                reason={lacking(mailboxesApi.retire)}
                onClick={() => void retire(mailbox, fromName)}
              >
                Clear {fromName} now…
              </ActButton>
            )}
          </Group>
        </Stack>
      </Alert>
      {state !== 'passing' && workflow && <WorkflowPane workflow={workflow} />}
    </>
  )
}
