/** The part of the width that the first pane takes, 0 to 1. */
export type Share = number

/** The nearest share that leaves both panes at least `min` pixels; half of the width where it has no room for both. */
export function boundedShare(share: Share, width: number, min: number): Share {
  if (width < 2 * min) return 0.5
  return Math.min(1 - min / width, Math.max(min / width, share))
}

/** A share that was written down before; anything else is undefined. */
export function readShare(text: string | undefined): Share | undefined {
  const share = Number(text)
  return text && share > 0 && share < 1 ? share : undefined
}

/** What a key asks for: arrows move by 2 %, with Shift by 10 %; Home and End go to the limits. */
export function shareByKey(key: string, shift: boolean, share: Share): Share | undefined {
  const step = shift ? 0.1 : 0.02
  return { ArrowLeft: share - step, ArrowRight: share + step, Home: 0, End: 1 }[key]
}
