import type { Schedule } from '@innkeeper/contract/recovery/backups/shapes'
import { Button, Group, Menu } from '@mantine/core'
import { IconPencil, IconPlayerPause, IconPlayerPlay, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useWebsiteChoice } from '../../hosting/websites/useWebsiteChoice.ts'
import { useReason } from '../../kit/access/reasons.ts'
import { lazyDialog } from '../../kit/frame/lazyScreen.tsx'
import { Screen } from '../../kit/frame/Screen.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { listCount } from '../../kit/list/listCount.ts'
import { RowCard } from '../../kit/list/RowCard.tsx'
import { useList } from '../../kit/list/useList.ts'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { MenuAction } from '../../kit/look/MenuAction.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { removeSchedule, switchSchedule } from './acts.ts'
import { backupsApi } from './api.ts'
import { Pauses } from './Pauses.tsx'
import { columns, stateOf, targetOf } from './scheduleColumns.tsx'

const PauseModal = lazyDialog(() => import('./PauseModal.tsx'))
const ScheduleModal = lazyDialog(() => import('./ScheduleModal.tsx'))

export default function SchedulesScreen() {
  const website = useWebsiteChoice('websiteId')
  const list = useList(backupsApi.schedules, { filters: ['search', 'enabled', 'websiteId', 'serverId'] })
  const lacking = useReason()
  const [pausing, setPausing] = useState(false)
  const [changing, setChanging] = useState<Schedule | 'new'>()
  const reason = lacking(backupsApi.createSchedule)
  const create = reason ? (
    <ActButton reason={reason} leftSection={<IconPlus size={15} />}>
      Create schedule
    </ActButton>
  ) : (
    <Button leftSection={<IconPlus size={15} />} onClick={() => setChanging('new')}>
      Create schedule
    </Button>
  )
  return (
    <Screen
      scroll={false}
      count={listCount(list)}
      actions={
        <Group gap={8} wrap="nowrap">
          <ActButton variant="default" reason={lacking(backupsApi.pauseServer)} onClick={() => setPausing(true)}>
            Pause a server…
          </ActButton>
          {create}
        </Group>
      }
    >
      <Pauses />
      <ListTable
        name="backup-schedules"
        noun={['schedule', 'schedules']}
        list={list}
        columns={columns}
        card={(one) => (
          <RowCard name={one.name} below={targetOf(one)}>
            <StatusBadge state={stateOf(one)} />
          </RowCard>
        )}
        label={({ name }) => name}
        menu={(one) => (
          <>
            <MenuAction
              label="Change…"
              icon={<IconPencil size={15} />}
              reason={lacking(backupsApi.updateSchedule)}
              onClick={() => setChanging(one)}
            />
            <MenuAction
              label={one.enabled ? 'Turn off' : 'Turn on'}
              icon={one.enabled ? <IconPlayerPause size={15} /> : <IconPlayerPlay size={15} />}
              reason={lacking(backupsApi.updateSchedule)}
              onClick={() => void switchSchedule(one)}
            />
            <Menu.Divider />
            <MenuAction
              label="Delete…"
              danger
              icon={<IconTrash size={15} />}
              reason={lacking(backupsApi.removeSchedule)}
              onClick={() => void removeSchedule(one)}
            />
          </>
        )}
        search={{ key: 'search', placeholder: 'Name' }}
        filters={[
          ...website,
          {
            key: 'enabled',
            label: 'Status',
            options: [
              { value: 'true', label: 'On' },
              { value: 'false', label: 'Off' },
            ],
          },
        ]}
        empty={{
          title: 'No schedule yet',
          text: 'A schedule backs up a website, or every website of a server, and says how many backups of each age stay.',
          action: create,
          tag: 'BK',
        }}
      />
      {pausing && <PauseModal close={() => setPausing(false)} />}
      {changing && (
        <ScheduleModal schedule={changing === 'new' ? undefined : changing} close={() => setChanging(undefined)} />
      )}
    </Screen>
  )
}
