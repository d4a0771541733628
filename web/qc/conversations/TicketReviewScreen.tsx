import { useNavigate } from '@tanstack/react-router'
import { lazyPart } from '../../kit/frame/lazyScreen.tsx'
import { numbered } from '../../kit/frame/numbered.tsx'
import { Skeletons } from '../../kit/frame/Skeletons.tsx'

const ReviewView = lazyPart(() => import('../reviews/ReviewView.tsx'), Skeletons)

export default numbered('ticketId', TicketReviewScreen)

function TicketReviewScreen({ id }: { id: number }) {
  const navigate = useNavigate()
  const onNext = (next: number | null) =>
    void (next === null
      ? navigate({ to: '/qc-v2/tickets/queue' })
      : navigate({ to: '/qc/tickets/review/$ticketId', params: { ticketId: String(next) } }))
  return <ReviewView kind="ticket" id={id} onNext={onNext} />
}
