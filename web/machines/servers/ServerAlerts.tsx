import type { Load, ServerView } from '@innkeeper/contract/machines/servers/shapes'
import { Alert, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useReason } from '../../kit/access/reasons.ts'
import { LinkButton } from '../../kit/frame/LinkTo.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { counted, lasting, moment } from '../../kit/look/format.ts'
import { useNow } from '../../kit/look/useNow.ts'
import { updateAgent } from './acts.ts'
import { serversApi } from './api.ts'

/** Warns about a different agent version. An older agent gets no actions that it does not know. */
export function OtherAgent({ server }: { server: ServerView }) {
  const lacks = useReason()(serversApi.updateAgent)
  return (
    <Alert color="warning" p="10px 14px" title={`Agent ${server.agentVersion} is not the current version`}>
      <Text>
        It continues to work, without operations that it does not know. If the new one does not check in, this one is
        restored automatically.
      </Text>
      <ActButton size="xs" variant="default" mt={8} reason={lacks} onClick={() => void updateAgent(server)}>
        Update agent
      </ActButton>
    </Alert>
  )
}

/** Consequences of a server that sends no heartbeats. */
export function Silent({ server: { id, lastSeenAt } }: { server: ServerView }) {
  const { data } = useQuery(serversApi.impact.query({ id }))
  const now = useNow()
  const waiting = data?.running ?? 0
  const title = lastSeenAt
    ? `Not heard from for ${lasting(now.getTime() - Date.parse(lastSeenAt))}`
    : 'Not heard from since it was enrolled'
  return (
    <Alert color="warning" p="10px 14px" title={title}>
      <Text>
        {lastSeenAt && `Last heartbeat at ${moment(lastSeenAt)}. Figures below are from then. `}
        {waiting > 0
          ? `${counted(waiting, ['workflow waits', 'workflows wait'])} for it and ${waiting === 1 ? 'goes' : 'go'} on by ${waiting === 1 ? 'itself' : 'themselves'} when it is online again.`
          : 'Nothing waits for it.'}
      </Text>
      {(data?.websites ?? 0) > 0 && (
        <LinkButton size="xs" variant="default" mt={8} to="/websites" search={{ server: String(id) }}>
          Show its websites
        </LinkButton>
      )}
    </Alert>
  )
}

/** The server has more to do than it can: what takes longer there is no fault. */
export const Slow = ({ name, load: { load, cores } }: { name: string; load: Load }) => (
  <Alert color="warning" p="10px 14px" title={`${name} is slow`}>
    Its load is {load.toFixed(1)}, with {counted(cores, ['core', 'cores'])}. Innkeeper waits for it, and tries again by
    itself what fails meanwhile.
  </Alert>
)
