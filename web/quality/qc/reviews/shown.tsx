import { createContext, type ReactNode, use } from 'react'

/** Whether the review around is shown. The review of the next conversation is laid out before it is shown. */
export const Shown = createContext(true)

/** Renders its children only while the review is shown. Without children of their own effects, the review keeps its layout. */
export const WhileShown = ({ children }: { children: ReactNode }) => (use(Shown) ? children : null)
