import type { ReactNode } from 'react'
import css from './form.module.css'

/** Two related fields, side by side if the screen is wide enough. */
export const Pair = ({ children }: { children: ReactNode }) => <div className={css.pair}>{children}</div>
