import { useNavigate, useSearch } from '@tanstack/react-router'
import { toId } from '../../../kit/frame/numbered.tsx'

/** Id of the leave in the drawer, from the address: `?leave=12`. */
export function useShownLeave() {
  const { leave, ...rest } = useSearch({ strict: false })
  const navigate = useNavigate()
  return { id: toId(leave), close: () => void navigate({ to: '.', search: rest }) }
}
