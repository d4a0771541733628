import type { BackupTask } from '@innkeeper/contract/recovery/backups/shapes'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useReason } from '../../kit/access/reasons.ts'
import { Section } from '../../kit/frame/Section.tsx'
import { SkeletonLines } from '../../kit/frame/Skeletons.tsx'
import { moment } from '../../kit/look/format.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { SectionTable } from '../../kit/look/SectionTable.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { backupsApi } from './api.ts'
import { stateOf } from './taskState.ts'

/** The newest task of each repository in the last 200 tasks of this type, failed ones first, each with its result. */
export function LastTasks({ type, repositoryIds }: { type: 'prune' | 'forget'; repositoryIds: readonly number[] }) {
  const lacking = useReason()
  const { data, isLoading } = useQuery({
    ...backupsApi.tasks.query({ type: [type], itemsPerPage: 200 }),
    enabled: !lacking(backupsApi.tasks),
  })
  const newest = new Map<number, BackupTask>()
  for (const task of data?.[0] ?? [])
    if (task.repositoryId !== null && !newest.has(task.repositoryId) && repositoryIds.includes(task.repositoryId))
      newest.set(task.repositoryId, task)
  const rows = [...newest.values()].toSorted((a, b) => Number(b.status === 'failed') - Number(a.status === 'failed'))
  if (!data) return isLoading ? <SkeletonLines /> : null
  return (
    <Section title={`Last ${type} of each repository`} pad={false}>
      <SectionTable
        label={`Last ${type} of each repository`}
        rows={rows}
        keyOf={({ id }) => id}
        empty={<Text c="dimmed">{`There was no ${type} yet.`}</Text>}
        columns={[
          { title: 'Repository', width: 200, cell: ({ subject }) => <Mono>{subject}</Mono> },
          { title: 'Status', width: 130, cell: (task) => <StatusBadge state={stateOf(task)} /> },
          { title: 'Begun', width: 170, cell: ({ createdAt }) => moment(createdAt) },
          { title: 'Result', cell: ({ message }) => message ?? '–' },
        ]}
      />
    </Section>
  )
}
