import type { DnsDepartment } from '@innkeeper/contract/net/dns/calls'
import { Group, Text } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useReason } from '../../kit/access/reasons.ts'
import { attempt, succeeds } from '../../kit/api/attempt.ts'
import { confirm } from '../../kit/dialogs/dialogs.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { Screen } from '../../kit/frame/Screen.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { listCount } from '../../kit/list/listCount.ts'
import { useList } from '../../kit/list/useList.ts'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { counted } from '../../kit/look/format.ts'
import { MenuAction } from '../../kit/look/MenuAction.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { dnsApi } from './api.ts'
import { columns, state } from './departmentColumns.tsx'

/** Departments to which zones can be assigned. Only people of a department see its zones. */
export default function DnsDepartmentsScreen() {
  const list = useList(dnsApi.departments, { filters: ['search', 'promoted'] })
  const lacking = useReason()
  return (
    <Screen scroll={false} count={listCount(list)}>
      <ListTable
        name="dnsDepartments"
        noun={['department', 'departments']}
        list={list}
        columns={columns}
        card={(row) => (
          <Group justify="space-between" wrap="nowrap">
            <Text fw={450} truncate>
              {row.name}
            </Text>
            <StatusBadge {...state(row)} />
          </Group>
        )}
        label={({ name }) => name}
        menu={(row) => (
          <>
            <MenuAction
              label="Promote"
              icon={<IconArrowUp size={15} />}
              reason={lacking(dnsApi.promote) ?? (row.promotedAt ? 'The department is promoted already.' : undefined)}
              onClick={() => void promote([row])}
            />
            <MenuAction
              label="Demote…"
              icon={<IconArrowDown size={15} />}
              reason={lacking(dnsApi.demote) ?? (row.promotedAt ? undefined : 'The department is not promoted.')}
              onClick={() => void demote([row])}
            />
          </>
        )}
        bulk={(rows, clear) => (
          <>
            <ActButton
              size="xs"
              variant="default"
              reason={lacking(dnsApi.promote)}
              onClick={() => void promote(rows).then(clear)}
            >
              Promote
            </ActButton>
            <ActButton
              size="xs"
              variant="default"
              reason={lacking(dnsApi.demote)}
              onClick={() => void demote(rows).then(clear)}
            >
              Demote…
            </ActButton>
          </>
        )}
        search={{ key: 'search', placeholder: 'Name' }}
        filters={[
          {
            key: 'promoted',
            label: 'Zones',
            single: true,
            options: [
              { value: 'true', label: 'Promoted' },
              { value: 'false', label: 'Not promoted' },
            ],
          },
        ]}
        empty={{
          title: 'No department yet',
          text: 'Zones can be given to departments: their people see them, others do not. Departments are added under Departments.',
          tag: 'DNS',
        }}
      />
    </Screen>
  )
}

async function promote(rows: readonly DnsDepartment[]): Promise<void> {
  const ids = rows.filter(({ promotedAt }) => !promotedAt).map(({ id }) => id)
  if (!ids.length) return
  const done = await attempt(() => dnsApi.promote({ ids }), ['dns'])
  if (done) toast.success(`${counted(done.promoted, ['department is', 'departments are'])} promoted`)
}

async function demote(rows: readonly DnsDepartment[]): Promise<void> {
  const promoted = rows.filter(({ promotedAt }) => promotedAt)
  if (!promoted.length) return
  const zones = promoted.reduce((sum, row) => sum + row.zones, 0)
  const sure = await confirm({
    title: `Demote ${promoted.length === 1 ? promoted[0]?.name : counted(promoted.length, ['department', 'departments'])}?`,
    text: zones
      ? `${counted(zones, ['zone stays', 'zones stay'])} theirs, but only administrators see them until somebody promotes the departments again.`
      : 'No zone is given to them.',
    verb: 'Demote',
    danger: true,
  })
  if (sure && (await succeeds(() => dnsApi.demote({ ids: promoted.map(({ id }) => String(id)) }), ['dns'])))
    toast.success('Demoted')
}
