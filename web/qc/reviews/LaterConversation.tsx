/** The conversation loads after the frame of the review, so that the screen stays small. */
export { Conversation as default } from '../../kit/conversation/Conversation.tsx'
