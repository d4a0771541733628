import css from '../list/cells.module.css'
import { ago, moment } from './format.ts'

/** "3 min ago"; the moment itself on pointing at it. A cell of lists. */
export const When = ({ at }: { at: string }) => (
  <span className={`${css.text} ${css.dim} ${css.oneLine}`} title={moment(at)}>
    {ago(at)}
  </span>
)
