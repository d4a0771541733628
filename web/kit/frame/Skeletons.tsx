import css from './Skeletons.module.css'

/** Skeleton of a page: bars in place of the title and the lines. */
export const Skeletons = () => (
  <div className={css.page} role="status" aria-busy aria-label="Loading">
    <div className={css.bar} style={{ height: 20, width: 220 }} />
    <div className={css.bar} style={{ height: 10, width: '60%' }} />
    <div className={css.bar} style={{ height: 10, width: '44%' }} />
  </div>
)
