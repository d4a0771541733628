import { Conversations } from './Conversations.tsx'
import { Panes } from './Panes.tsx'
import { Scores } from './Scores.tsx'

/** The larger pieces that screens are put together from. */
export const Pieces = () => (
  <>
    <Panes />
    <Conversations />
    <Scores />
  </>
)
