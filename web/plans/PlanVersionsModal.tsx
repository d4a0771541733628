import type { Plan, PlanVersion } from '@innkeeper/contract/plans'
import { Modal, ScrollArea, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { moment } from '../kit/look/format.ts'
import { plansApi } from './api.ts'
import { labels } from './wish.ts'

// keys of the form, which a version has too
const keys = Object.keys(labels) as (keyof typeof labels)[]
const said = (version: PlanVersion, key: keyof typeof labels) => [version[key]].flat().join(', ')

/** What each version changed, newest first. */
export function PlanVersionsModal({ plan, close }: { plan: Plan; close: () => void }) {
  const { data, error } = useQuery(plansApi.versions.query({ id: plan.id }))
  const items = data?.items ?? []
  return (
    <Modal opened onClose={close} title={`Versions of ${plan.name}`} size={640}>
      {error && <Text c="var(--mantine-color-error-text)">{error.message}</Text>}
      <ScrollArea.Autosize mah="60vh">
        <Table verticalSpacing={8}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={72}>Version</Table.Th>
              <Table.Th>What changed</Table.Th>
              <Table.Th w={150}>By</Table.Th>
              <Table.Th w={150}>When</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {items.map((version, i) => (
              <Table.Tr key={version.version}>
                <Table.Td className="num">{version.version}</Table.Td>
                <Table.Td>{whatChanged(version, items[i + 1])}</Table.Td>
                <Table.Td>{version.by}</Table.Td>
                <Table.Td>{moment(version.at)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea.Autosize>
    </Modal>
  )
}

function whatChanged(now: PlanVersion, before: PlanVersion | undefined): string {
  if (!before) return now.version === 1 ? 'Added' : 'As it stood when versions began to be kept'
  const changes = keys
    .filter((key) => said(now, key) !== said(before, key))
    .map((key) => `${labels[key]} ${said(before, key)} → ${said(now, key)}`)
  return changes.join('; ') || 'Saved without a change'
}
