import type { Colour } from '../../palette.ts'
import type { Shape } from './Glyph.tsx'

export interface State {
  colour: Colour
  shape: Shape
  /** The normal status: a grey word in tables. */
  quiet?: boolean
  word?: string
}

const fine = { colour: 'success', shape: 'dot', quiet: true } as const
const busy = { colour: 'info', shape: 'arc' } as const
/** A person works on the item: no process runs, so no arc turns. */
const begun = { colour: 'info', shape: 'half' } as const
const over = { colour: 'success', shape: 'check', quiet: true } as const
const waits = { colour: 'secondary', shape: 'ring' } as const
const left = { colour: 'secondary', shape: 'dash' } as const
const back = { colour: 'secondary', shape: 'back', word: 'Rolled back' } as const
const look = { colour: 'warning', shape: 'bang' } as const
const wrong = { colour: 'error', shape: 'cross' } as const

/** Every status word of the product. */
export const states: Record<string, State> = {
  active: fine,
  online: fine,
  up: fine,
  on: fine,
  success: fine,
  valid: fine,
  looking: busy,
  importing: busy,
  verified: { colour: 'warning', shape: 'ring', word: 'Waits to be accepted' },
  taking: busy,
  taken: { colour: 'warning', shape: 'ring', word: 'Waits to be accepted' },
  accepted: fine,
  unreadable: wrong,
  carried: fine,
  changed: { colour: 'info', shape: 'dot' },
  'left out': left,
  retired: left,
  same: fine,
  kept: { colour: 'info', shape: 'dot' },
  here: fine,
  elsewhere: { colour: 'warning', shape: 'ring' },
  missing: wrong,
  differs: wrong,
  running: busy,
  creating: busy,
  applying: { ...busy, word: 'Being applied' },
  migrating: busy,
  deleting: busy,
  building: busy,
  soaking: { ...busy, shape: 'ring', word: 'Under observation' },
  paused: { colour: 'warning', shape: 'pause' },
  booting: busy,
  enrolling: busy,
  enabling: { ...busy, word: 'Being turned on' },
  disabling: { ...busy, word: 'Being turned off' },
  merging: busy,
  reverting: { ...busy, word: 'Being reverted' },
  merged: over,
  replacing: busy,
  replaced: over,
  reverted: { ...back, word: 'Reverted' },
  done: over,
  approved: over,
  begun,
  rejected: { colour: 'warning', shape: 'dash' },
  pending: waits,
  waiting: waits,
  ready: waits,
  unknown: waits,
  none: waits,
  open: waits,
  opened: over,
  setting: { ...busy, word: 'Being set' },
  gone: left,
  queued: waits,
  sent: busy,
  sending: busy,
  dropped: left,
  delivered: fine,
  undelivered: wrong,
  off: left,
  stopped: { colour: 'warning', shape: 'pause' },
  skipped: left,
  cancelled: left,
  deleted: left,
  undone: back,
  'rolled-back': back,
  suspended: { colour: 'warning', shape: 'pause' },
  disabled: { colour: 'warning', shape: 'pause' },
  'receive-only': { colour: 'warning', shape: 'dash', word: 'Receives only' },
  denied: { colour: 'warning', shape: 'dash' },
  stale: look,
  degraded: look,
  'sending-stopped': { colour: 'warning', shape: 'pause', word: 'Sending stopped' },
  'limit-reached': { colour: 'warning', shape: 'dash', word: 'Limit reached' },
  expiring: look,
  failing: look,
  failed: wrong,
  offline: wrong,
  down: wrong,
  revoked: wrong,
  expired: wrong,
  blocked: { colour: 'error', shape: 'bang' },
}
const unknown: State = { colour: 'secondary', shape: 'ring' }

/** Shape, colour and word of a status; an unknown status is shown unchanged. */
export function stateOf(state: string): State & { word: string } {
  const known = states[state] ?? unknown
  const word = known.word ?? `${state.slice(0, 1).toUpperCase()}${state.slice(1)}`
  return { ...known, word }
}
