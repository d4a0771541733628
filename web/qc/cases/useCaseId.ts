import { useParams } from '@tanstack/react-router'

/** The id of the address: the faces call the parameter by different names. */
export function useCaseId(): number {
  const { id, escalationId, feedbackId }: Readonly<Record<string, string | undefined>> = useParams({ strict: false })
  const text = id ?? escalationId ?? feedbackId ?? ''
  return /^\d{1,9}$/.test(text) ? Number(text) : 0
}
