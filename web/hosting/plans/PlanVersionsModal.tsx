import type { Plan, PlanVersion } from '@innkeeper/contract/hosting/plans'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Dialog } from '../../kit/dialogs/Dialog.tsx'
import { moment } from '../../kit/look/format.ts'
import { SectionTable } from '../../kit/look/SectionTable.tsx'
import { plansApi } from './api.ts'
import { labels } from './form.ts'

// the keys of the form, which a version has too
const keys = Object.keys(labels) as (keyof typeof labels)[]
const said = (version: PlanVersion, key: keyof typeof labels) => [version[key]].flat().join(', ')

/** What each version changed, newest first. */
export function PlanVersionsModal({ plan, close }: { plan: Plan; close: () => void }) {
  const { data, error } = useQuery(plansApi.versions.query({ id: plan.id }))
  const items = data?.items
  return (
    <Dialog opened onClose={close} title={`Versions of ${plan.name}`} size={640}>
      {error && <Text c="var(--mantine-color-error-text)">{error.message}</Text>}
      {!error && (
        <SectionTable
          label={`Versions of ${plan.name}`}
          edges={false}
          maxHeight="60vh"
          rows={items?.map((version, n) => ({ ...version, changed: whatChanged(version, items[n + 1]) }))}
          keyOf={({ version }) => version}
          columns={[
            { title: 'Version', width: 72, cell: ({ version }) => version },
            { title: 'What changed', cell: ({ changed }) => changed },
            { title: 'By', width: 150, cell: ({ by }) => by },
            { title: 'When', width: 150, cell: ({ at }) => moment(at) },
          ]}
        />
      )}
    </Dialog>
  )
}

function whatChanged(now: PlanVersion, before: PlanVersion | undefined): string {
  if (!before) return now.version === 1 ? 'Added' : 'As it was when Innkeeper began to keep versions'
  const changes = keys
    .filter((key) => said(now, key) !== said(before, key))
    .map((key) => `${labels[key]} ${said(before, key)} → ${said(now, key)}`)
  return changes.join('; ') || 'Saved without a change'
}
