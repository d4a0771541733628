import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Reading } from '../../../kit/frame/Reading.tsx'
import { workflowsApi } from '../../../machines/workflows/api.ts'
import { WorkflowPane } from '../../../machines/workflows/WorkflowPane.tsx'

/** The run that reads, imports or writes a dump, with its progress by bytes. */
export function RunOfDump({ id }: { id: number }) {
  const { data, error } = useQuery(workflowsApi.one.query({ id }))
  if (!data) return <Text c="dimmed">{error?.message ?? <Reading />}</Text>
  return <WorkflowPane workflow={data} />
}
