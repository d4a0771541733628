import type { Workflow } from '@innkeeper/contract/machines/workflows'

/** The step that a workflow is at: "Failed at nginx site", "probe, 6 of 7". */
export function stepOf({ status, current, waitsFor, done, count }: Workflow): string {
  if (status === 'failed') return current ? `Failed at ${current}` : 'Failed'
  if (status === 'waiting') return waitsFor ?? 'Waits'
  return current ? `${current}, ${Math.min(done + 1, count)} of ${count}` : `${done} of ${count}`
}

/** "2 running, 1 failed" where every workflow is in the list, else "33 open". */
export function summaryOf({ items, total }: { items: readonly Workflow[]; total: number }): string {
  if (!total) return 'none'
  if (items.length < total) return `${total} open`
  return (['running', 'waiting', 'failed'] as const)
    .map((status) => ({ status, n: items.filter((task) => task.status === status).length }))
    .filter(({ n }) => n)
    .map(({ status, n }) => `${n} ${status}`)
    .join(', ')
}
