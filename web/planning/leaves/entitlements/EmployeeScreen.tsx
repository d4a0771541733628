import type { LeaveAccount } from '@innkeeper/contract/planning/leaves/calls'
import { Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useReason } from '../../../kit/access/reasons.ts'
import { numbered } from '../../../kit/frame/numbered.tsx'
import { Dot } from '../../../kit/frame/PageHeader.tsx'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { Section, Split } from '../../../kit/frame/Section.tsx'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { SectionTable, type TableColumn } from '../../../kit/look/SectionTable.tsx'
import { leavesApi } from '../api.ts'
import { dayWords } from '../words.ts'
import { AdjustModal, EntitleModal } from './EntitleModals.tsx'
import { Ledger } from './Ledger.tsx'
import { WorkingDays } from './WorkingDays.tsx'

export default numbered('userId', EmployeeScreen)

const thisYear = new Date().getFullYear()
const years = [thisYear - 1, thisYear, thisYear + 1]

function EmployeeScreen({ id }: { id: number }) {
  const [year, setYear] = useState(thisYear)
  const query = useQuery({ ...leavesApi.employee.query({ id, year }), placeholderData: keepPreviousData })
  const account = query.data
  return (
    <Screen
      query={query}
      title={account?.name ?? 'Leave of an employee'}
      meta={
        account && (
          <>
            <Text>{account.departmentName ?? 'No department'}</Text>
            <Dot />
            <Text>
              {account.hiredAt
                ? `here since ${dayWords(account.hiredAt)}`
                : 'first day not known: whole years are granted'}
            </Text>
          </>
        )
      }
      actions={
        <SegmentedControl
          aria-label="Year"
          data={years.map(String)}
          value={String(year)}
          onChange={(next) => setYear(Number(next))}
        />
      }
    >
      {account && (
        <Split
          side={
            <Section title="Movements" hint={`of ${account.year}`}>
              <Ledger entries={account.ledger} />
            </Section>
          }
          sideLast
          slim
        >
          <Stack gap={16}>
            <Balances account={account} />
            <WorkingDays id={id} />
          </Stack>
        </Split>
      )}
    </Screen>
  )
}

/** Balance of each leave type and its components. */
function Balances({ account }: { account: LeaveAccount }) {
  const lacking = useReason()(leavesApi.updateEmployee)
  const [dialog, ask] = useState<'entitle' | 'adjust'>()
  const close = () => ask(undefined)
  return (
    <Section
      title="Entitlements"
      hint={`of ${account.year}, in days`}
      pad={false}
      aside={
        <Group gap={6} justify="flex-end" wrap="nowrap">
          <ActButton size="xs" variant="default" reason={lacking} onClick={() => ask('entitle')}>
            Change entitlement…
          </ActButton>
          <ActButton size="xs" variant="default" reason={lacking} onClick={() => ask('adjust')}>
            Correct balance…
          </ActButton>
        </Group>
      }
    >
      <SectionTable
        label="Entitlements"
        narrow="scroll"
        rows={account.balances}
        keyOf={({ type }) => type.id}
        columns={[
          {
            title: 'Kind',
            cell: ({ type, entitlement }) => (
              <>
                {type.name}
                {entitlement !== null && (
                  <Text c="dimmed" fz="xs">
                    {entitlement} a year instead of {type.yearlyDays}
                  </Text>
                )}
              </>
            ),
          },
          {
            title: 'Left',
            align: 'right',
            cell: ({ type, balance }) => (
              <Text span fw={600} c={balance < 0 ? 'error' : undefined}>
                {type.deductsBalance ? balance : '–'}
              </Text>
            ),
          },
          days('Granted', ({ granted }) => granted),
          days('Carried', ({ carried }) => carried),
          days('Corrected', ({ adjusted }) => adjusted),
          days('Expired', ({ expired }) => -expired),
          days('Asked for', ({ pending }) => -pending),
          days('Taken', ({ used }) => -used),
        ]}
      />
      {dialog === 'entitle' && <EntitleModal account={account} close={close} />}
      {dialog === 'adjust' && <AdjustModal account={account} close={close} />}
    </Section>
  )
}

type Balance = LeaveAccount['balances'][number]
/** A column with a number of days; a dash for zero. */
const days = (title: string, of: (balance: Balance) => number): TableColumn<Balance> => ({
  title,
  align: 'right',
  cell: (balance) => {
    const n = of(balance)
    if (n === 0)
      return (
        <Text span c="dimmed">
          –
        </Text>
      )
    return n < 0 ? `−${-n}` : n
  },
})
