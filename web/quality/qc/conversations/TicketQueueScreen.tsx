import { usePaths } from '../paths.ts'
import { ConversationList } from './ConversationList.tsx'

export default function TicketQueueScreen() {
  return <ConversationList kind="ticket" place="queue" open={usePaths().ticket} />
}
