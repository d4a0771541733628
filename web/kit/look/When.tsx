import css from '../list/cells.module.css'
import { ago, moment } from './format.ts'

/** Age of a time stamp: "3 min ago", with the full time on hover. For cells of lists. */
export const When = ({ at }: { at: string }) => (
  <span className={`${css.text} ${css.dim} ${css.oneLine}`} title={moment(at)}>
    {ago(at)}
  </span>
)
