import type { ReactNode } from 'react'
import css from './Quiet.module.css'

/** Fields that are saved one by one: quiet text until somebody points at one or moves the focus to it. */
export const Quiet = ({ children }: { children: ReactNode }) => <div className={css.quiet}>{children}</div>
