/** Loads after the screen that shows it: see LazyConversation.tsx. */
export { Conversation as default } from './Conversation.tsx'
