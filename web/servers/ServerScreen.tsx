import { type ServerView, webServerTitles } from '@innkeeper/contract/servers/shapes'
import { Alert, Text } from '@mantine/core'
import { IconPackages } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useReason } from '../kit/access/reasons.ts'
import { LinkButton } from '../kit/frame/LinkTo.tsx'
import { lazyPart } from '../kit/frame/lazyScreen.tsx'
import { numbered } from '../kit/frame/numbered.tsx'
import { Dot } from '../kit/frame/PageHeader.tsx'
import { PageMenu } from '../kit/frame/PageMenu.tsx'
import { Screen } from '../kit/frame/Screen.tsx'
import { Split } from '../kit/frame/Section.tsx'
import { ActButton } from '../kit/look/ActButton.tsx'
import { counted, lasting, moment } from '../kit/look/format.ts'
import { Mono } from '../kit/look/Mono.tsx'
import { StatusBadge } from '../kit/look/StatusBadge.tsx'
import { useNow } from '../kit/look/useNow.ts'
import { useLastWorkflow } from '../workflows/useLastWorkflow.ts'
import { WorkflowPane } from '../workflows/WorkflowPane.tsx'
import { provision, updateAgent } from './acts.ts'
import { serversApi } from './api.ts'
import { EnrolSection } from './enrolment/EnrolSection.tsx'
import { Figures } from './load/Figures.tsx'
import { LoadSection } from './load/LoadSection.tsx'
import { ServerActs } from './ServerActs.tsx'
import { ServicesFound } from './ServicesFound.tsx'
import { typeWord } from './words.ts'

const ConfigOfServer = lazyPart(
  () => import('../configs/ConfigOfServer.tsx'),
  () => null,
)

/** Interval of refetching in milliseconds, because heartbeats send no hints. */
const FRESH = 5000

export default numbered('server', ServerScreen)

function ServerScreen({ id }: { id: number }) {
  // no polling after a failed read, which would hide the error
  const refetchInterval = ({ state }: { state: { data: unknown } }) => state.data !== undefined && FRESH
  const query = useQuery({ ...serversApi.view.query({ id }), refetchInterval })
  const server = query.data
  const navigate = useNavigate()
  const lacking = useReason()
  return (
    <Screen
      query={query}
      title={server?.name ?? 'Server'}
      mono={server !== undefined}
      badge={server && <StatusBadge pill state={server.status === 'down' ? 'down' : server.observed} />}
      meta={server && <Meta server={server} />}
      actions={
        server && (
          <>
            <ActButton
              visibleFrom="sm"
              variant="default"
              leftSection={<IconPackages size={15} />}
              reason={lacking(serversApi.provision) ?? (server.enrolledAt ? undefined : 'No agent has connected yet.')}
              onClick={() => void provision(server)}
            >
              Provision now
            </ActButton>
            <PageMenu>
              <ServerActs server={server} onRemoved={() => void navigate({ to: '/server' })} />
            </PageMenu>
          </>
        )
      }
    >
      {server && <Body server={server} />}
    </Screen>
  )
}

function Body({ server }: { server: ServerView }) {
  const workflow = useLastWorkflow('server', server.id)
  return (
    <div style={{ display: 'grid', gap: 16, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      {server.enrolledAt && server.observed !== 'online' && <Silent server={server} />}
      {server.agentSkew && <OtherAgent server={server} />}
      <Figures server={server} />
      <LoadSection server={server} />
      <Split
        side={
          <>
            {workflow && <WorkflowPane workflow={workflow} />}
            <EnrolSection server={server} />
          </>
        }
      >
        <ServicesFound server={server} />
        <ConfigOfServer id={server.id} enrolled={server.enrolledAt !== null} />
      </Split>
    </div>
  )
}

const Meta = ({ server: { type, webServer, address, os, agentVersion, note } }: { server: ServerView }) => (
  <>
    <Text>{typeWord(type)}</Text>
    {webServer && (
      <>
        <Dot />
        <Text>{webServerTitles[webServer]}</Text>
      </>
    )}
    <Dot />
    {address ? <Mono>{address}</Mono> : <Text>no address yet</Text>}
    {os && (
      <>
        <Dot />
        <Text>{os}</Text>
      </>
    )}
    {agentVersion && (
      <>
        <Dot />
        <Text>
          Agent <Mono>{agentVersion}</Mono>
        </Text>
      </>
    )}
    {note && (
      <>
        <Dot />
        <Text>{note}</Text>
      </>
    )}
  </>
)

/** Warns about a different agent version. An older agent gets no actions that it does not know. */
function OtherAgent({ server }: { server: ServerView }) {
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
function Silent({ server: { id, lastSeenAt } }: { server: ServerView }) {
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
