import type { ReactNode } from 'react'
import css from './form.module.css'

/** Two fields that are one thought, beside each other where the screen is wide enough. */
export const Pair = ({ children }: { children: ReactNode }) => <div className={css.pair}>{children}</div>
