import { useQuery } from '@tanstack/react-query'
import { useReason } from '../../kit/access/reasons.ts'
import { dnsApi } from './api.ts'

/**
 * Departments for a zone. Keeps the current department in the options even if zones can no longer be assigned to it.
 */
export function useDepartmentOptions(known: readonly { id: number; name: string }[] = []) {
  const lacking = useReason()
  const { data } = useQuery({
    ...dnsApi.departments.query({ promoted: 'true', itemsPerPage: 200 }),
    enabled: !lacking(dnsApi.departments),
  })
  const all = new Map([...known, ...(data?.items ?? [])].map(({ id, name }) => [id, name]))
  return [...all].map(([id, name]) => ({ value: String(id), label: name }))
}
