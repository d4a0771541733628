import type { Visibility } from '@innkeeper/contract/quality/dossiers/values'
import { useQuery } from '@tanstack/react-query'
import { useReason } from '../../../kit/access/reasons.ts'
import { feedbackApi } from '../api.ts'

/** The names of those who would read an entry today: "Today: Kari Dahl, Ola Vik and 2 administrators." */
export function useAudience(userId: number, visibility: Visibility, entryId?: number): string | undefined {
  const reason = useReason()(feedbackApi.audience)
  const asked = { userId, visibility, ...(entryId !== undefined && { entryId }) }
  const found = useQuery({ ...feedbackApi.audience.query(asked), enabled: !reason })
  if (!found.data) return undefined
  const { people, total, administrators } = found.data
  const names = people
    .filter(({ isAdmin }) => !isAdmin)
    .slice(0, 8)
    .map(({ name }) => name)
  const others = total - administrators - names.length
  const parts = [
    ...names,
    ...(others > 0 ? [`${others} more`] : []),
    ...(administrators ? [administrators === 1 ? '1 administrator' : `${administrators} administrators`] : []),
  ]
  return `Today: ${parts.join(', ')}.`
}
