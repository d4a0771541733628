import { usePaths } from '../paths.ts'
import { ConversationList } from './ConversationList.tsx'

export default function TicketsScreen() {
  return <ConversationList kind="ticket" place="archive" open={usePaths().ticket} />
}
