import { kitWords } from '../look/texts.ts'
import css from './Skeletons.module.css'

/** Skeleton of a page, with the geometry of its header and body: nothing moves when the page arrives. */
export const Skeletons = () => (
  <div className={css.page}>
    <div className={css.head}>
      <div className={css.bar} style={{ height: 20, width: 220 }} />
    </div>
    <div className={css.body}>
      <SkeletonLines />
    </div>
  </div>
)

/** Skeleton of the content below a header, or of a part of a page. */
export const SkeletonLines = () => (
  <div className={css.lines} role="status" aria-busy aria-label={kitWords().loading}>
    <div className={css.bar} style={{ height: 10, width: '60%' }} />
    <div className={css.bar} style={{ height: 10, width: '44%' }} />
  </div>
)
