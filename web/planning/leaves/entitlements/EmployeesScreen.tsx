import type { LeaveCode, LeaveEmployee } from '@innkeeper/contract/planning/leaves/calls'
import { Button, Group, Text } from '@mantine/core'
import { IconScale } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useReason } from '../../../kit/access/reasons.ts'
import { Screen } from '../../../kit/frame/Screen.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { listCount } from '../../../kit/list/listCount.ts'
import { NameCell, NameLink } from '../../../kit/list/NameCell.tsx'
import { useList } from '../../../kit/list/useList.ts'
import { leavesApi } from '../api.ts'
import { useDepartments } from '../filters.ts'
import { daysWords } from '../words.ts'
import { TypesModal } from './TypesModal.tsx'

type Figure = 'balance' | 'granted' | 'carried' | 'used' | 'pending'

const figureOf = ({ balances }: LeaveEmployee, code: LeaveCode, figure: Figure): number =>
  balances.find(({ type }) => type.code === code)?.[figure] ?? 0
const figure = (key: string, title: string, code: LeaveCode, which: Figure): Column<LeaveEmployee> => ({
  key,
  title,
  width: 96,
  align: 'right',
  csv: (row) => figureOf(row, code, which),
  cell: (row) => <span className="num">{figureOf(row, code, which) || '–'}</span>,
})

const person = (mayOpen: boolean): Column<LeaveEmployee> => ({
  key: 'name',
  title: 'Person',
  sort: 'name',
  csv: ({ name }) => name,
  cell: ({ id, name, departmentName }) => (
    <NameCell below={departmentName ?? 'No department'}>
      {mayOpen ? (
        <NameLink to="/leaves/employee/$userId" params={{ userId: String(id) }}>
          {name}
        </NameLink>
      ) : (
        <Text truncate>{name}</Text>
      )}
    </NameCell>
  ),
})
const figures: readonly Column<LeaveEmployee>[] = [
  figure('left', 'Paid left', 'paid', 'balance'),
  figure('granted', 'Granted', 'paid', 'granted'),
  figure('carried', 'Carried', 'paid', 'carried'),
  figure('used', 'Taken', 'paid', 'used'),
  figure('pending', 'Asked for', 'paid', 'pending'),
  figure('sick', 'Sick', 'sick', 'used'),
  figure('lieu', 'In lieu left', 'compensatory', 'balance'),
  figure('study', 'Study left', 'study', 'balance'),
]

/** Selectable years relative to the current one. */
const span = [-2, -1, 0, 1]
const thisYear = new Date().getFullYear()
const years = {
  key: 'year',
  label: 'Year',
  single: true,
  options: span.map((by) => String(thisYear + by)).map((value) => ({ value, label: value })),
}

export default function EmployeesScreen() {
  const list = useList(leavesApi.employees, { filters: ['search', 'departmentId', 'year'] })
  const departments = useDepartments()
  const mayOpen = !useReason()(leavesApi.updateEmployee)
  const columns = useMemo(() => [person(mayOpen), ...figures], [mayOpen])
  const [rules, setRules] = useState(false)
  return (
    <Screen
      scroll={false}
      count={listCount(list)}
      actions={
        <Button variant="default" leftSection={<IconScale size={15} />} onClick={() => setRules(true)}>
          Kinds of leave…
        </Button>
      }
    >
      <ListTable
        name="leave-employees"
        noun={['person', 'people']}
        list={list}
        columns={columns}
        card={(employee) => <EmployeeCard employee={employee} />}
        label={({ name }) => name}
        {...(mayOpen && { open: ({ id }: LeaveEmployee) => `/leaves/employee/${id}` })}
        search={{ key: 'search', placeholder: 'Name' }}
        filters={[years, ...(departments.options.length ? [departments] : [])]}
        empty={{
          title: 'Nobody yet',
          text: 'Everybody with an account is listed here with their balances.',
          tag: 'LV',
        }}
      />
      <TypesModal opened={rules} close={() => setRules(false)} />
    </Screen>
  )
}

const EmployeeCard = ({ employee }: { employee: LeaveEmployee }) => (
  <Group justify="space-between" wrap="nowrap" gap="sm">
    <div style={{ minWidth: 0 }}>
      <Text fw={450} truncate>
        {employee.name}
      </Text>
      <Text c="dimmed" fz="xs" truncate>
        {employee.departmentName ?? 'No department'}
      </Text>
    </div>
    <Text className="num" style={{ flex: 'none' }}>
      {daysWords(figureOf(employee, 'paid', 'balance'))} left
    </Text>
  </Group>
)
