import { useNavigate, useParams } from '@tanstack/react-router'
import NotFound from '../../../kit/frame/NotFound.tsx'
import { toId } from '../../../kit/frame/numbered.tsx'
import { usePaths } from '../paths.ts'
import { ReviewView } from '../reviews/ReviewView.tsx'

/** Reviews the ticket of the address. Stays mounted from one ticket to the next, which is rendered ahead. */
export default function TicketReviewScreen() {
  const { ticketId } = useParams({ strict: false })
  const navigate = useNavigate()
  const paths = usePaths()
  const id = toId(ticketId)
  const onNext = (next: number | null) =>
    next === null
      ? navigate({ to: '/qc-v2/tickets/queue' })
      : navigate({ to: paths.reviewTicket, params: { ticketId: String(next) } })
  return id === undefined ? <NotFound /> : <ReviewView kind="ticket" id={id} onNext={onNext} />
}
