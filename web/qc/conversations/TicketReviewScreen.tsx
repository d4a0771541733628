import { useNavigate } from '@tanstack/react-router'
import { numbered } from '../../kit/frame/numbered.tsx'
import { useFace } from '../faces.ts'
import { ReviewView } from '../reviews/ReviewView.tsx'

export default numbered('ticketId', TicketReviewScreen)

function TicketReviewScreen({ id }: { id: number }) {
  const navigate = useNavigate()
  const face = useFace()
  const onNext = (next: number | null) =>
    next === null
      ? navigate({ to: '/qc-v2/tickets/queue' })
      : navigate({ to: face.reviewTicket, params: { ticketId: String(next) } })
  return <ReviewView kind="ticket" id={id} onNext={onNext} />
}
