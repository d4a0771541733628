import type { ComponentProps } from 'react'
import About from '../conversations/About.tsx'
import { Keys } from './Keys.tsx'

/** The keys of a review and the facts of its conversation. One lazy part, so that neither pushes the other down. */
export default function BelowSheet(props: ComponentProps<typeof About>) {
  return (
    <>
      <Keys />
      <About {...props} />
    </>
  )
}
