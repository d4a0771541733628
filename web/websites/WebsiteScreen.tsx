import type { Website } from '@innkeeper/contract/websites'
import { Alert, Button, Tabs, Text } from '@mantine/core'
import { IconArrowBackUp, IconExternalLink, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { ActButton } from '../kit/ActButton.tsx'
import { ApiError } from '../kit/client.ts'
import { moment } from '../kit/format.ts'
import { LinkTo } from '../kit/LinkTo.tsx'
import { Mono } from '../kit/Mono.tsx'
import { Dot } from '../kit/PageHeader.tsx'
import { useReason } from '../kit/reasons.ts'
import { Screen } from '../kit/Screen.tsx'
import { Split } from '../kit/Section.tsx'
import { StatusBadge } from '../kit/StatusBadge.tsx'
import { PageMenu } from '../servers/PageMenu.tsx'
import { useLastWorkflow } from '../workflows/useLastWorkflow.ts'
import { WorkflowPane } from '../workflows/WorkflowPane.tsx'
import { activate, notSwitchable, restore, suspend } from './acts.ts'
import { websitesApi } from './api.ts'
import { Hosting } from './Hosting.tsx'
import { LogLines } from './LogLines.tsx'
import { numbered } from './numbered.tsx'
import { Resources } from './Resources.tsx'
import { useSite } from './useSite.ts'
import { WebsiteActs } from './WebsiteActs.tsx'
import { Workflows } from './Workflows.tsx'
import { environmentWord, trashLeft } from './words.ts'

const tabs = { overview: 'Overview', workflows: 'Workflows', logs: 'Logs' }

export default numbered('id', WebsiteScreen)

function WebsiteScreen({ id }: { id: number }) {
  const query = useQuery(websitesApi.one.query({ id }))
  const website = query.data
  // deleted while its page is open: what was last read stays, with what deleted it
  const gone = query.error instanceof ApiError && query.error.status === 404
  const { tab = 'overview' } = useSearch({ strict: false })
  const navigate = useNavigate()
  const show = (next: string | null) =>
    void navigate({ to: '.', search: next && next !== 'overview' ? { tab: next } : {} })
  return (
    <Screen
      query={query}
      title={website?.domain ?? 'Website'}
      mono={website !== undefined}
      badge={website && <StatusBadge pill state={gone ? 'deleted' : website.status} />}
      meta={website && <Meta website={website} />}
      actions={website && !gone && <Actions website={website} />}
      tabs={
        <Tabs value={tab} onChange={show}>
          <Tabs.List>
            {Object.entries(tabs).map(([value, label]) => (
              <Tabs.Tab key={value} value={value}>
                {label}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        </Tabs>
      }
    >
      {website && gone && <Gone domain={website.domain} />}
      {website && !gone && website.status === 'deleted' && <InTrash website={website} />}
      {website && tab === 'workflows' && <Workflows website={website} />}
      {website && tab === 'logs' && <LogLines website={website} />}
      {website && tab !== 'workflows' && tab !== 'logs' && <Overview website={website} gone={gone} />}
    </Screen>
  )
}

const Gone = ({ domain }: { domain: string }) => (
  <Alert role="status" color="info" p="10px 14px" mb={16} title={`${domain} is deleted`}>
    <LinkTo to="/websites">Back to the websites</LinkTo>
  </Alert>
)

function InTrash({ website }: { website: Website }) {
  const lacks = useReason()(websitesApi.restore)
  const { domain, serverName, purgeAfter } = website
  return (
    <Alert role="status" color="info" p="10px 14px" mb={16} title={`${domain} is in the trash of ${serverName}`}>
      <Text>
        It is not served. Its files, its account and its logs can be restored
        {purgeAfter && ` until ${moment(purgeAfter)}, ${trashLeft(website)}`}.
      </Text>
      <ActButton
        size="xs"
        mt={8}
        reason={lacks}
        leftSection={<IconArrowBackUp size={14} />}
        onClick={() => void restore(website)}
      >
        Restore
      </ActButton>
    </Alert>
  )
}

function Overview({ website, gone }: { website: Website; gone: boolean }) {
  const workflow = useLastWorkflow('website', website.id)
  return (
    <Split side={workflow && <WorkflowPane workflow={workflow} />}>
      {!gone && <Resources websiteId={website.id} />}
      <Hosting website={website} />
    </Split>
  )
}

const Meta = ({ website }: { website: Website }) => (
  <>
    <LinkTo to="/websites" search={{ userid: String(website.ownerId) }}>
      {website.ownerName}
    </LinkTo>
    <Dot />
    <LinkTo to="/server/$server" params={{ server: String(website.serverId) }}>
      <Mono>{website.serverName}</Mono>
    </LinkTo>
    <Dot />
    <Text>{website.planName}</Text>
    <Dot />
    <Text>PHP {website.phpVersion}</Text>
    <Dot />
    <Text>{environmentWord(website.environment)}</Text>
    <Dot />
    <Mono>{website.id}</Mono>
  </>
)

function Actions({ website }: { website: Website }) {
  const lacking = useReason()
  const site = useSite()
  const suspended = website.status === 'suspended'
  if (website.status === 'deleted')
    return (
      <PageMenu>
        <WebsiteActs website={website} />
      </PageMenu>
    )
  const reason = lacking(websitesApi.status) ?? notSwitchable(website)
  return (
    <>
      <ActButton
        visibleFrom="sm"
        variant="default"
        leftSection={suspended ? <IconPlayerPlay size={15} /> : <IconPlayerPause size={15} />}
        reason={reason}
        onClick={() => void (suspended ? activate(website) : suspend(website))}
      >
        {suspended ? 'Activate' : 'Suspend…'}
      </ActButton>
      <Button
        component="a"
        visibleFrom="sm"
        variant="default"
        href={site(website.domain)}
        target="_blank"
        rel="noopener"
        rightSection={<IconExternalLink size={14} />}
      >
        Open site
      </Button>
      <PageMenu>
        <WebsiteActs website={website} />
      </PageMenu>
    </>
  )
}
