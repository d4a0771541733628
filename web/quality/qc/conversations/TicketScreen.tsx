import { numbered } from '../../../kit/frame/numbered.tsx'
import { ConversationView } from './ConversationView.tsx'

export default numbered('ticketId', ({ id }) => <ConversationView kind="ticket" id={id} />)
