import { useFace } from '../faces.ts'
import { ConversationList } from './ConversationList.tsx'

export default function TicketsScreen() {
  return <ConversationList kind="ticket" place="archive" open={useFace().ticket} />
}
