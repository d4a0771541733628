import type { CheckRule } from '@innkeeper/contract/quality/qc/checks'
import { Menu, Text } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useReason } from '../../../kit/access/reasons.ts'
import { succeeds } from '../../../kit/api/attempt.ts'
import { confirmByName } from '../../../kit/dialogs/dialogs.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { CreateButton } from '../../../kit/list/CreateButton.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { listCount } from '../../../kit/list/listCount.ts'
import { NameCell, RowName } from '../../../kit/list/NameCell.tsx'
import { useList } from '../../../kit/list/useList.ts'
import { count } from '../../../kit/look/format.ts'
import { MenuAction } from '../../../kit/look/MenuAction.tsx'
import { StatusBadge } from '../../../kit/look/StatusBadge.tsx'
import { qcChecksApi } from '../api.ts'
import { rowPath } from '../paths.ts'
import { agreementOf, checkNames, precisionOf, rateOf } from './words.ts'

const RULE = '/qc-settings-v2/checks/$checkId'

const columns: readonly Column<CheckRule>[] = [
  {
    key: 'name',
    title: 'Rule',
    sort: 'name',
    csv: ({ name }) => name,
    cell: ({ name, check }) => (
      <NameCell below={checkNames[check]}>
        <RowName>{name}</RowName>
      </NameCell>
    ),
  },
  {
    key: 'state',
    title: 'Status',
    width: 170,
    csv: ({ isActive, progress }) => (isActive ? `${progress} %` : 'off'),
    cell: ({ isActive, progress }) => {
      if (!isActive) return <StatusBadge state="skipped" label="Off" />
      if (progress < 100) return <StatusBadge state="running" label={`Checking, ${progress} %`} />
      return <StatusBadge state="active" label="In use" />
    },
  },
  {
    key: 'failed',
    title: 'Failed',
    sort: 'failed',
    width: 120,
    align: 'right',
    csv: ({ failed }) => failed,
    cell: ({ passed, failed }) => (
      <NameCell below={`of ${count(passed + failed)}`}>
        <span className="num">{count(failed)}</span>
      </NameCell>
    ),
  },
  {
    key: 'rate',
    title: 'Rate',
    width: 90,
    align: 'right',
    csv: rateOf,
    cell: (rule) => <span className="num">{rateOf(rule)}</span>,
  },
  {
    key: 'precision',
    title: 'Precision',
    width: 190,
    align: 'right',
    csv: precisionOf,
    cell: (rule) => (
      <NameCell below={rule.scoreTypeName ? `against ${rule.scoreTypeName}` : 'not compared'}>
        <span className="num" title={agreementOf(rule)}>
          {precisionOf(rule)}
        </span>
      </NameCell>
    ),
  },
]

/** Rules of automatic checks, with what they find and how they agree with people. */
export default function ChecksScreen() {
  const list = useList(qcChecksApi.checks, { filters: ['search', 'check'] })
  const create = (
    <CreateButton call={qcChecksApi.createCheck} to="/qc-settings-v2/checks/create">
      Create rule
    </CreateButton>
  )
  return (
    <Screen scroll={false} count={listCount(list)} actions={create}>
      <ListTable
        name="qc-checks"
        noun={['rule', 'rules']}
        list={list}
        columns={columns}
        card={(rule) => (
          <>
            <Text fw={450}>{rule.name}</Text>
            <Text c="dimmed" fz="xs" truncate>
              {checkNames[rule.check]}, {rateOf(rule)} failed
            </Text>
          </>
        )}
        label={({ name }) => name}
        open={({ id }) => rowPath(RULE, id)}
        menu={(rule) => <RuleActs rule={rule} />}
        search={{ key: 'search', placeholder: 'Name' }}
        filters={[
          {
            key: 'check',
            label: 'Check',
            options: Object.entries(checkNames).map(([value, label]) => ({ value, label })),
          },
        ]}
        empty={{
          title: 'No rule yet',
          text: 'A rule checks every conversation by itself, for instance whether the first answer came within an hour. Results never count as reviews.',
          action: create,
          tag: 'AC',
        }}
      />
    </Screen>
  )
}

function RuleActs({ rule: { id, name, version } }: { rule: CheckRule }) {
  const lacking = useReason()
  const navigate = useNavigate()
  const remove = async () => {
    const sure = await confirmByName({
      title: `Delete ${name}?`,
      name,
      verb: 'Delete rule',
      goes: [`The rule ${name}`, 'Its results in all conversations'],
      stays: 'Reviews, and conversations that are in the queue.',
    })
    if (!sure) return
    const gone = await succeeds(() => qcChecksApi.removeCheck({ id, version }), ['qc'])
    if (gone) toast.success(`${name} is deleted`)
  }
  return (
    <>
      <MenuAction
        label="Change"
        icon={<IconPencil size={15} />}
        reason={lacking(qcChecksApi.updateCheck)}
        onClick={() => void navigate({ to: rowPath(RULE, id) })}
      />
      <Menu.Divider />
      <MenuAction
        label="Delete…"
        danger
        icon={<IconTrash size={15} />}
        reason={lacking(qcChecksApi.removeCheck)}
        onClick={() => void remove()}
      />
    </>
  )
}
