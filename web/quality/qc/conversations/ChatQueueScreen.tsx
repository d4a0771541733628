import { usePaths } from '../paths.ts'
import { ConversationList } from './ConversationList.tsx'

export default function ChatQueueScreen() {
  return <ConversationList kind="chat" place="queue" open={usePaths().queuedChat} />
}
