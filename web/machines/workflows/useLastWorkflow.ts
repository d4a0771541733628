import type { WorkflowWithActions } from '@innkeeper/contract/machines/workflows'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { workflowsApi } from './api.ts'

/** A workflow with its actions, kept live by hints. */
export function useWorkflow(id: number | undefined): WorkflowWithActions | undefined {
  const { data } = useQuery({
    ...workflowsApi.one.query({ id: id ?? 0 }),
    enabled: id !== undefined,
    placeholderData: keepPreviousData,
  })
  return id === undefined ? undefined : data
}

/** The running workflow of a subject, or its last one; null: it has none, or none can be read; undefined: not known yet. */
export function useLastWorkflow(subjectType: string, subjectId: number): WorkflowWithActions | null | undefined {
  const list = useQuery(workflowsApi.list.query({ subjectType, subjectId, itemsPerPage: 1 }))
  const id = list.data?.items[0]?.id
  const last = useQuery({
    ...workflowsApi.one.query({ id: id ?? 0 }),
    enabled: id !== undefined,
    placeholderData: keepPreviousData,
  })
  if (id !== undefined && last.data) return last.data
  return list.isError || last.isError || (list.data && id === undefined) ? null : undefined
}
