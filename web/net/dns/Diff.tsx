import css from './records/Records.module.css'

/** A diff: `-` marks removed or missing records, `+` added ones. */
export const Diff = ({ lines, label }: { lines: readonly string[]; label: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
  <section className={css.diff} tabIndex={0} aria-label={label}>
    {lines.map((line) => (line.startsWith('-') ? <del key={line}>{line}</del> : <ins key={line}>{line}</ins>))}
  </section>
)
