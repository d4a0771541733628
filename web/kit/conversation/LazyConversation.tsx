import { lazyPart } from '../frame/lazyScreen.tsx'
import { Skeletons } from '../frame/Skeletons.tsx'

/** The conversation loads after the frame of its screen, so that the screen stays small. */
export const Conversation = lazyPart(() => import('./LaterConversation.tsx'), Skeletons)
