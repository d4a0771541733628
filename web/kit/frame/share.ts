/** Share of the width of the first pane, from 0 to 1. */
export type Share = number

/** Limits a share so that both panes keep at least `min` pixels; one half if the width is too small for both. */
export function boundedShare(share: Share, width: number, min: number): Share {
  if (width < 2 * min) return 0.5
  return Math.min(1 - min / width, Math.max(min / width, share))
}

/** Parses a stored share; undefined for invalid text. */
export function readShare(text: string | undefined): Share | undefined {
  const share = Number(text)
  return text && share > 0 && share < 1 ? share : undefined
}

/** New share after a key: arrows change 2 %, with Shift 10 %; Home and End go to the limits. */
export function shareByKey(key: string, shift: boolean, share: Share): Share | undefined {
  const step = shift ? 0.1 : 0.02
  return { ArrowLeft: share - step, ArrowRight: share + step, Home: 0, End: 1 }[key]
}
