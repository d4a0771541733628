import { useParams } from '@tanstack/react-router'

/** The id in the address, whose parameter has different names in the two sets of screens. */
export function useCaseId(): number {
  const { id, escalationId, feedbackId }: Readonly<Record<string, string | undefined>> = useParams({ strict: false })
  const text = id ?? escalationId ?? feedbackId ?? ''
  return /^\d{1,9}$/.test(text) ? Number(text) : 0
}
