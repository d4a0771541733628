import { usePaths } from '../paths.ts'
import { ConversationList } from './ConversationList.tsx'

export default function ChatsScreen() {
  return <ConversationList kind="chat" place="archive" open={usePaths().chat} />
}
