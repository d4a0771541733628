import { Conversations } from './Conversations.tsx'
import { Panes } from './Panes.tsx'

/** The larger pieces that screens are put together from. */
export const Pieces = () => (
  <>
    <Panes />
    <Conversations />
  </>
)
