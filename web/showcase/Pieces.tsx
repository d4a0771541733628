import { Boards } from './Boards.tsx'
import { Conversations } from './Conversations.tsx'
import { Figures } from './Figures.tsx'
import { Panes } from './Panes.tsx'
import { Scores } from './Scores.tsx'
import { Timelines } from './Timelines.tsx'
import { Trees } from './Trees.tsx'

/** The larger components of screens. */
export const Pieces = () => (
  <>
    <Panes />
    <Conversations />
    <Scores />
    <Timelines />
    <Boards />
    <Trees />
    <Figures />
  </>
)
