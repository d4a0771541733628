import { Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { lazyDialog } from '../../kit/frame/lazyScreen.tsx'
import { SkeletonLines } from '../../kit/frame/Skeletons.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { moment } from '../../kit/look/format.ts'
import { backupsApi } from './api.ts'

const OwnModal = lazyDialog(() => import('./OwnModal.tsx'))

/** Whether Innkeeper itself is backed up. */
export function OwnLine() {
  const { data, isLoading } = useQuery(backupsApi.own.query({}))
  const [open, setOpen] = useState(false)
  if (!data) return isLoading ? <SkeletonLines /> : null
  const last = data.items.find(({ snapshot }) => snapshot)
  const proven = data.items.find(({ provenAt }) => provenAt)?.provenAt
  return (
    <>
      <Group gap={10} justify="space-between" wrap="nowrap">
        <Text fz="sm" c="dimmed">
          {last
            ? `Innkeeper itself: backed up ${moment(last.startedAt)}, ${proven ? `proven ${moment(proven)}` : 'not proven yet'}`
            : 'Innkeeper itself is not backed up yet'}
          {!data.plan && last ? ', by hand' : ''}
        </Text>
        <ActButton size="xs" variant="default" onClick={() => setOpen(true)}>
          Innkeeper itself…
        </ActButton>
      </Group>
      {open && <OwnModal plan={data.plan} items={data.items} close={() => setOpen(false)} />}
    </>
  )
}
