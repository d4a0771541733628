import { numbered } from '../../../kit/frame/numbered.tsx'
import { ConversationView } from './ConversationView.tsx'

export default numbered('chatId', ({ id }) => <ConversationView kind="chat" id={id} />)
