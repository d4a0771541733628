import { useNavigate, useSearch } from '@tanstack/react-router'
import { toId } from '../kit/frame/numbered.tsx'

/** The leave that the address shows beside its list: `?leave=12`. */
export function useShownLeave() {
  const { leave, ...rest } = useSearch({ strict: false })
  const navigate = useNavigate()
  return { id: toId(leave), close: () => void navigate({ to: '.', search: rest }) }
}
