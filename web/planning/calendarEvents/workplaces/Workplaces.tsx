import type { Workplace } from '@innkeeper/contract/planning/calendarEvents/national'
import { Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useReason } from '../../../kit/access/reasons.ts'
import { attempt, succeeds } from '../../../kit/api/attempt.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { ErrorLine } from '../../../kit/frame/ErrorLine.tsx'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { SectionTable } from '../../../kit/look/SectionTable.tsx'
import { eventsApi } from '../api.ts'
import { confirmLeaves } from '../confirmLeaves.ts'
import { WorkplaceModal } from './WorkplaceModal.tsx'

/** Workplaces of the organisation and of departments that have their own. A workplace determines the public holidays. */
export default function Workplaces() {
  const { data, error } = useQuery(eventsApi.workplaces.query())
  const countries = useQuery(eventsApi.countries.query())
  const reason = useReason()(eventsApi.setWorkplace)
  const [open, setOpen] = useState<Workplace | 'new'>()
  const where = ({ country, region }: Workplace) => {
    const found = countries.data?.items.find(({ code }) => code === country)
    const part = found?.regions.find(({ code }) => code === region)
    if (!country) return 'Nowhere yet: no public holidays'
    return [found?.name ?? country, part?.name].filter(Boolean).join(', ')
  }
  const remove = async (place: Workplace) => {
    const { departmentId, version, country, region, timeZone } = place
    if (departmentId === null) return
    const asked = { departmentId, country, region, timeZone, remove: true }
    const seen = await attempt(() => confirmLeaves(() => eventsApi.workplaceLeaves(asked)), [])
    if (!seen) return
    const name = place.departmentName ?? ''
    const done = await succeeds(
      () => eventsApi.removeWorkplace({ departmentId, version, ...seen }),
      ['calendarEvents', 'leaves'],
    )
    if (done) toast.success(`${name} has the organisation’s holidays`)
  }
  return (
    <Stack gap={14} p={20} maw={860} style={{ overflowY: 'auto' }}>
      <Text c="dimmed">
        The workplace of a department determines its public holidays; without one, the workplace of the organisation
        does. Shifts and leaves take these holidays into account.
      </Text>
      {error && <ErrorLine error={error} />}
      {!data && !error && <Skeleton h={120} />}
      {data && (
        <SectionTable
          label="Workplaces"
          edges={false}
          rows={data.items}
          keyOf={({ departmentId }) => departmentId ?? 0}
          columns={[
            {
              title: 'Who',
              cell: ({ departmentName }) => (
                <Text span fw={500}>
                  {departmentName ?? 'The organisation'}
                </Text>
              ),
            },
            { title: 'Where', cell: where },
            { title: 'Time zone', cell: ({ timeZone }) => timeZone.replaceAll('_', ' ') },
            {
              title: '',
              cell: (place) => (
                <>
                  <ActButton size="xs" variant="default" reason={reason} onClick={() => setOpen(place)}>
                    Change…
                  </ActButton>
                  {place.departmentId !== null && !reason && (
                    <Button size="xs" variant="subtle" color="secondary" onClick={() => void remove(place)}>
                      As the organisation
                    </Button>
                  )}
                </>
              ),
            },
          ]}
        />
      )}
      <Group>
        <ActButton reason={reason} variant="default" onClick={() => setOpen('new')}>
          Add workplace of a department…
        </ActButton>
      </Group>
      {open && (
        <WorkplaceModal
          place={open === 'new' ? undefined : open}
          countries={countries.data?.items ?? []}
          close={() => setOpen(undefined)}
        />
      )}
    </Stack>
  )
}
