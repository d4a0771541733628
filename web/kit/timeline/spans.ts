/** A part of the width, in percent. */
export interface Span {
  from: number
  to: number
}
/** The times in ms when the row became due, started and ended. */
export interface Times {
  from: number
  started: number
  to: number
}
interface SpanBar {
  waited?: Span
  ran?: Span
  waitedMs: number
  ranMs: number
}
export interface Layout {
  bars: SpanBar[]
  /** The cuts: position and duration of each pause. */
  pauses: { at: number; ms: number }[]
}

/** Shorter pauses are not cut. */
const PAUSE_MS = 2000
/** The width of a cut, as a fraction of the remaining width. */
const PAUSE_SHARE = 0.03

/** Lays out bars on one scale from the first start to the last end. Cuts pauses; a row without times has no bar. */
export function layOut(rows: readonly (Times | undefined)[]): Layout {
  const busy = merged(rows.flatMap((times) => times ?? []))
  const length = busy.reduce((sum, { from, to }) => sum + to - from, 0) || 1
  const pause = PAUSE_SHARE * length
  const whole = length + pause * Math.max(0, busy.length - 1)
  const at = (moment: number): number => {
    let before = 0
    for (const { from, to } of busy) {
      if (moment <= to) return (100 * (before + Math.max(0, moment - from))) / whole
      before += to - from + pause
    }
    return 100
  }
  return {
    bars: rows.map((times) => {
      if (!times) return { waitedMs: 0, ranMs: 0 }
      const { from, started, to } = times
      return {
        waitedMs: started - from,
        ranMs: to - started,
        ...(started > from && { waited: { from: at(from), to: at(started) } }),
        ...(to > started && { ran: { from: at(started), to: at(to) } }),
      }
    }),
    pauses: busy.slice(1).map(({ from }, i) => ({ at: at(from), ms: from - (busy[i]?.to ?? from) })),
  }
}

/** The merged times in which any row waited or ran, in order. */
function merged(times: Times[]): { from: number; to: number }[] {
  const spans: { from: number; to: number }[] = []
  for (const { from, to } of times.toSorted((a, b) => a.from - b.from)) {
    const last = spans.at(-1)
    if (last && from - last.to <= PAUSE_MS) last.to = Math.max(last.to, to)
    else spans.push({ from, to })
  }
  return spans
}
