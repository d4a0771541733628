import type { ComponentProps } from 'react'
import About from '../conversations/About.tsx'
import { Keys } from './Keys.tsx'

/** The keys of a review and what is known of its conversation: one part, so that nothing pushes the other. */
export default function BelowSheet(props: ComponentProps<typeof About>) {
  return (
    <>
      <Keys />
      <About {...props} />
    </>
  )
}
