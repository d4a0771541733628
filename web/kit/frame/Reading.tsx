/** Stands where rows are being read. While the page settles, what stands below it waits: see Together. */
export const Reading = () => (
  <span role="status" aria-busy>
    Reading…
  </span>
)
