import type { Workflow } from '@innkeeper/contract/machines/workflows'
import { texts } from '../../kit/look/locale.ts'

const useTexts = texts(
  {
    failedAt: (step: string) => `Failed at ${step}`,
    failedAlone: 'Failed',
    waits: 'Waits',
    of: (n: number, all: number) => `${n} of ${all}`,
    none: 'none',
    open: (n: number) => `${n} open`,
    running: (n: number) => `${n} running`,
    waiting: (n: number) => `${n} waiting`,
    failed: (n: number) => `${n} failed`,
  },
  {
    de: {
      failedAt: (step) => `Gescheitert bei ${step}`,
      failedAlone: 'Gescheitert',
      waits: 'Wartet',
      of: (n, all) => `${n} von ${all}`,
      none: 'keine',
      open: (n) => `${n} offen`,
      running: (n) => (n === 1 ? '1 läuft' : `${n} laufen`),
      waiting: (n) => (n === 1 ? '1 wartet' : `${n} warten`),
      failed: (n) => `${n} gescheitert`,
    },
  },
)

/** The step that a workflow is at: "Failed at nginx site", "probe, 6 of 7". */
export function stepOf({ status, current, waitsFor, done, count }: Workflow): string {
  const words = useTexts.now()
  if (status === 'failed') return current ? words.failedAt(current) : words.failedAlone
  if (status === 'waiting') return waitsFor ?? words.waits
  const at = words.of(current ? Math.min(done + 1, count) : done, count)
  return current ? `${current}, ${at}` : at
}

/** "2 running, 1 failed" where every workflow is in the list, else "33 open". */
export function summaryOf({ items, total }: { items: readonly Workflow[]; total: number }): string {
  const words = useTexts.now()
  if (!total) return words.none
  if (items.length < total) return words.open(total)
  return (['running', 'waiting', 'failed'] as const)
    .map((status) => ({ status, n: items.filter((task) => task.status === status).length }))
    .filter(({ n }) => n)
    .map(({ status, n }) => words[status](n))
    .join(', ')
}
