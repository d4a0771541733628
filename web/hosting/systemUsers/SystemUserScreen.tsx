import type { SystemUser } from '@innkeeper/contract/hosting/systemUsers'
import { Alert, Text } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import { lazyPart } from '../../kit/frame/lazyScreen.tsx'
import { numbered } from '../../kit/frame/numbered.tsx'
import { Dot } from '../../kit/frame/PageHeader.tsx'
import { PageMenu } from '../../kit/frame/PageMenu.tsx'
import { Screen } from '../../kit/frame/Screen.tsx'
import { Facts, Section, Split } from '../../kit/frame/Section.tsx'
import { SectionBars } from '../../kit/frame/SectionBars.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { moment } from '../../kit/look/format.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { size } from '../plans/limits.ts'
import { activate, notSwitchable, suspend } from './acts.ts'
import { systemUsersApi } from './api.ts'
import { ChangePlan } from './ChangePlan.tsx'
import { Runs } from './Runs.tsx'
import { SystemUserActs } from './SystemUserActs.tsx'
import { Usage } from './Usage.tsx'

const Access = lazyPart(() => import('../sftp/Access.tsx'), SectionBars)

export default numbered('id', SystemUserScreen)

function SystemUserScreen({ id }: { id: number }) {
  const query = useQuery(systemUsersApi.one.query({ id }))
  const account = query.data
  const navigate = useNavigate()
  const [changing, setChanging] = useState(false)
  const lacking = useReason()
  const suspended = account?.status === 'suspended'
  return (
    <Screen
      query={query}
      title={account?.username ?? 'System user'}
      mono={account !== undefined}
      badge={account && <StatusBadge pill state={account.status} />}
      meta={account && <Meta account={account} />}
      actions={
        account && (
          <>
            <ActButton
              visibleFrom="sm"
              variant="default"
              leftSection={suspended ? <IconPlayerPlay size={15} /> : <IconPlayerPause size={15} />}
              reason={lacking(systemUsersApi.update) ?? notSwitchable(account)}
              onClick={() => void (suspended ? activate(account) : suspend(account))}
            >
              {suspended ? 'Activate' : 'Suspend…'}
            </ActButton>
            <PageMenu>
              <SystemUserActs
                account={account}
                changePlan={() => setChanging(true)}
                onRemoved={() => void navigate({ to: '/system-users/list' })}
              />
            </PageMenu>
          </>
        )
      }
    >
      {account?.reason && (
        <Alert color="warning" p="10px 14px" mb={16} title="Suspended">
          <Text>{account.reason}</Text>
        </Alert>
      )}
      {account?.diskOverSince && (
        <Alert color="warning" p="10px 14px" mb={16} title="More disk than its plan has">
          <Text>
            {account.diskUsedMb !== null &&
              `The account uses ${size(account.diskUsedMb)} of ${size(account.planDiskMb)}. `}
            Known since {moment(account.diskOverSince)}. The account continues to work: have files removed, or choose a
            larger plan.
          </Text>
        </Alert>
      )}
      {account && (
        <Split side={<Runs id={id} />}>
          <Usage account={account} />
          <Section title="Account">
            <Facts
              of={[
                ['Home', <Mono key="home">{account.homeDir}</Mono>],
                ['Shell', <Mono key="shell">{account.shell}</Mono>],
                ['uid', <Mono key="uid">{account.uid ?? 'not known yet'}</Mono>],
                ['Created', moment(account.createdAt)],
                ['Changed', moment(account.updatedAt)],
              ]}
            />
          </Section>
          <Access systemUserId={id} />
        </Split>
      )}
      {account && changing && <ChangePlan account={account} close={() => setChanging(false)} />}
    </Screen>
  )
}

const Meta = ({ account }: { account: SystemUser }) => (
  <>
    <LinkTo to="/system-users/list" search={{ owner: String(account.ownerId) }}>
      {account.ownerName}
    </LinkTo>
    <Dot />
    <LinkTo to="/server/$server" params={{ server: String(account.serverId) }}>
      <Mono>{account.serverName}</Mono>
    </LinkTo>
    <Dot />
    <Text>{account.planName}</Text>
    <Dot />
    <LinkTo to="/websites" search={{ server: String(account.serverId), userid: String(account.ownerId) }}>
      {account.websites === 1 ? '1 website' : `${account.websites} websites`}
    </LinkTo>
  </>
)
