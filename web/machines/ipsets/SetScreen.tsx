import type { IpSetView } from '@innkeeper/contract/machines/ipsets/shapes'
import { Text } from '@mantine/core'
import { IconBan } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { lazyPart } from '../../kit/frame/lazyScreen.tsx'
import { Dot } from '../../kit/frame/PageHeader.tsx'
import { PageMenu } from '../../kit/frame/PageMenu.tsx'
import { PageTabs, useTab } from '../../kit/frame/PageTabs.tsx'
import { Screen } from '../../kit/frame/Screen.tsx'
import { SectionBars } from '../../kit/frame/SectionBars.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { ago, counted } from '../../kit/look/format.ts'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { ipsetsApi } from './api.ts'
import { Bans } from './Bans.tsx'
import { SetActs } from './SetActs.tsx'
import { placeOf, standingOf } from './words.ts'

const OnServers = lazyPart(() => import('./OnServers.tsx'), SectionBars)
const SetSettings = lazyPart(() => import('./SetSettings.tsx'), SectionBars)
const none = () => null
const BanModal = lazyPart(() => import('./BanModal.tsx'), none)
const ImportModal = lazyPart(() => import('./ImportModal.tsx'), none)

export default function SetScreen() {
  const params: Readonly<Record<string, string | undefined>> = useParams({ strict: false })
  const name = params.setName ?? ''
  const query = useQuery(ipsetsApi.set.query({ id: name }))
  if (query.data) return <Loaded key={name} set={query.data} />
  return (
    <Screen query={query} title="IP set">
      {null}
    </Screen>
  )
}

const tabs = { bans: 'Bans', servers: 'Servers', settings: 'Settings' }

function Loaded({ set }: { set: IpSetView }) {
  const lacking = useReason()
  const [open, setOpen] = useState<'ban' | 'import'>()
  const [tab, show] = useTab(tabs)
  const navigate = useNavigate()
  const close = () => setOpen(undefined)
  const ban = (
    <ActButton leftSection={<IconBan size={15} />} reason={lacking(ipsetsApi.ban)} onClick={() => setOpen('ban')}>
      Ban address
    </ActButton>
  )
  return (
    <Screen
      scroll={tab !== 'bans'}
      title={set.name}
      mono
      badge={<StatusBadge pill {...standingOf(set)} />}
      meta={<Meta set={set} />}
      actions={
        <>
          {ban}
          <PageMenu>
            <SetActs
              set={set}
              onImport={() => setOpen('import')}
              onRemoved={() => void navigate({ to: '/ipset/sets' })}
            />
          </PageMenu>
        </>
      }
      tabs={<PageTabs of={tabs} at={tab} show={show} />}
    >
      {tab === 'bans' && <Bans set={set} create={ban} />}
      {tab === 'servers' && <OnServers set={set} />}
      {tab === 'settings' && <SetSettings set={set} />}
      {open === 'ban' && <BanModal set={set} close={close} />}
      {open === 'import' && <ImportModal set={set} close={close} />}
    </Screen>
  )
}

const Meta = ({ set }: { set: IpSetView }) => (
  <>
    <Text>{counted(set.bans, ['ban', 'bans'])}</Text>
    <Dot />
    <Text>{placeOf(set)}</Text>
    {set.ports && (
      <>
        <Dot />
        <Text>
          only TCP {set.ports.length === 1 ? 'port' : 'ports'} {set.ports.join(', ')}
        </Text>
      </>
    )}
    {set.description && (
      <>
        <Dot />
        <Text truncate>{set.description}</Text>
      </>
    )}
    <Dot />
    <Text>changed {ago(set.updatedAt)}</Text>
  </>
)
