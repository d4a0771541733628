import css from './Skeletons.module.css'

/** A page that is on its way: still bars where its title and lines will stand. */
export const Skeletons = () => (
  <div className={css.page} role="status" aria-busy aria-label="Loading">
    <div className={css.bar} style={{ height: 20, width: 220 }} />
    <div className={css.bar} style={{ height: 10, width: '60%' }} />
    <div className={css.bar} style={{ height: 10, width: '44%' }} />
  </div>
)
