import type { Finding, Migration, Phase } from '@innkeeper/contract/hosting/moves/shapes'
import { lasting } from '../../kit/look/format.ts'

/** Title and description of each phase. */
export const phaseWords: Record<Phase, { title: string; text: string }> = {
  preflight: { title: 'Preflight', text: 'checks on both servers that the move is possible' },
  prepare: { title: 'Prepare', text: 'account, folders, PHP and databases on the new server' },
  seed: { title: 'Seed', text: 'all files are copied while it is served' },
  freeze: { title: 'Freeze', text: 'visitors see the notice of the move' },
  delta: { title: 'Delta', text: 'changed files are copied' },
  databases: { title: 'Databases', text: 'dumped, transferred and loaded' },
  verify: { title: 'Verify', text: 'checksums, rows, and what the new server answers' },
  cutover: { title: 'Cut over', text: 'Innkeeper records the new server' },
  proxy: { title: 'Proxy', text: 'the old server forwards to the new one' },
  soak: { title: 'Observe', text: 'both stay until DNS has settled' },
  retire: { title: 'Retire', text: 'the remaining files go into the trash of the old server' },
}

export const statusWords = [
  ['running', 'Running'],
  ['paused', 'Paused'],
  ['failed', 'Stopped'],
  ['soaking', 'Under observation'],
  ['waiting', 'Waiting'],
  ['done', 'Done'],
  ['rolled-back', 'Rolled back'],
] as const

/** The reason of a move, as people read it. A due move waits an hour for what ends by itself. */
export const reasonText = ({ status, reason }: Pick<Migration, 'status' | 'reason'>): string | undefined =>
  (status === 'waiting' && reason ? `Waits up to an hour: ${reason}` : reason) ?? undefined

/** How long visitors see the notice of the move. */
export const freezeText = ({ freezeMs }: Pick<Migration, 'freezeMs'>): string =>
  freezeMs === null ? '–' : freezeMs < 10_000 ? `${(freezeMs / 1000).toFixed(2)} s` : lasting(freezeMs)

export const levelStates: Record<Finding['level'], string> = { ok: 'done', warning: 'stale', blocker: 'blocked' }

export const soaks = [
  { value: '1', label: 'An hour' },
  { value: '24', label: 'A day' },
  { value: '72', label: 'Three days' },
  { value: '168', label: 'A week' },
  { value: '0', label: 'Not at all: retire at once' },
]
