import { useFace } from '../faces.ts'
import { ConversationList } from './ConversationList.tsx'

export default function TicketQueueScreen() {
  return <ConversationList kind="ticket" place="queue" open={useFace().ticket} />
}
