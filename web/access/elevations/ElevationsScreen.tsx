import { type Elevation, elevationStates } from '@innkeeper/contract/access/elevations'
import { holds } from '@innkeeper/contract/kit/access'
import { Button, Menu } from '@mantine/core'
import { IconCheck, IconClockX, IconPlus, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { useSession } from '../../kit/access/session.ts'
import { LinkButton } from '../../kit/frame/LinkTo.tsx'
import { lazyDialog } from '../../kit/frame/lazyScreen.tsx'
import { Screen } from '../../kit/frame/Screen.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { listCount } from '../../kit/list/listCount.ts'
import { useList } from '../../kit/list/useList.ts'
import { MenuAction } from '../../kit/look/MenuAction.tsx'
import { endNow } from './acts.ts'
import { elevationsApi } from './api.ts'
import { columns, ElevationCard } from './columns.tsx'
import { permissionChoices, stateWords } from './words.ts'

const AskModal = lazyDialog<{ close: () => void }>(() => import('./AskModal.tsx'))
const DecideModal = lazyDialog<{ elevation: Elevation; grants: boolean; close: () => void }>(
  () => import('./DecideModal.tsx'),
)

/** Permissions for some time: asked, held and ended. */
export default function ElevationsScreen() {
  const me = useSession()
  const list = useList(elevationsApi.list, { filters: ['search', 'state', 'scope', 'user'] })
  const [asking, setAsking] = useState(false)
  const [deciding, decide] = useState<{ elevation: Elevation; grants: boolean }>()
  const ask = (
    <Button leftSection={<IconPlus size={15} />} onClick={() => setAsking(true)}>
      Ask for permissions
    </Button>
  )
  const rules = holds(me, 'users:elevation:read') && (
    <LinkButton to="/elevations/rules" variant="default">
      Rules
    </LinkButton>
  )
  return (
    <Screen
      scroll={false}
      count={listCount(list)}
      meta="Permissions for some hours, with a reason"
      actions={
        <>
          {rules}
          {ask}
        </>
      }
    >
      <ListTable
        name="elevations"
        noun={['elevation', 'elevations']}
        list={list}
        columns={columns}
        card={(elevation) => <ElevationCard elevation={elevation} />}
        label={({ userName }) => userName}
        menu={(elevation) => <Acts elevation={elevation} decide={(grants) => decide({ elevation, grants })} />}
        search={{ key: 'search', placeholder: 'Name or reason' }}
        filters={[
          {
            key: 'state',
            label: 'State',
            single: true,
            options: elevationStates.map((value) => ({ value, label: stateWords[value] })),
          },
          { key: 'scope', label: 'Permission', single: true, options: permissionChoices },
        ]}
        empty={{
          title: 'No elevation yet',
          text: 'For work that you do rarely, ask for its permissions for some hours. They end by themselves, and every step is in the action log.',
          action: ask,
          tag: 'EL',
        }}
      />
      {asking && <AskModal close={() => setAsking(false)} />}
      {deciding && <DecideModal {...deciding} close={() => decide(undefined)} />}
    </Screen>
  )
}

function Acts({ elevation, decide }: { elevation: Elevation; decide: (grants: boolean) => void }) {
  const me = useSession()
  const lacking = useReason()
  const { state, userId } = elevation
  const own = userId === me.id
  const over = state === 'asked' ? undefined : 'It is decided'
  const reason = over ?? (own ? 'Somebody else decides about what you asked for' : lacking(elevationsApi.grant))
  const isOpen = state === 'asked' || state === 'held'
  return (
    <>
      <MenuAction label="Grant…" icon={<IconCheck size={15} />} reason={reason} onClick={() => decide(true)} />
      <MenuAction label="Refuse…" icon={<IconX size={15} />} reason={reason} onClick={() => decide(false)} />
      <Menu.Divider />
      <MenuAction
        label={state === 'asked' ? 'Withdraw' : 'End now'}
        icon={<IconClockX size={15} />}
        reason={isOpen ? (own ? undefined : lacking(elevationsApi.grant)) : 'It has ended'}
        onClick={() => void endNow(elevation)}
      />
    </>
  )
}
