import type { LeaveAccount } from '@innkeeper/contract/leaves'
import { Group, SegmentedControl, Stack, Table, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useReason } from '../kit/access/reasons.ts'
import { Dot } from '../kit/frame/PageHeader.tsx'
import { Screen } from '../kit/frame/Screen.tsx'
import { Section, Split } from '../kit/frame/Section.tsx'
import { ActButton } from '../kit/look/ActButton.tsx'
import { numbered } from '../websites/numbered.tsx'
import { leavesApi } from './api.ts'
import { AdjustModal, EntitleModal } from './EntitleModals.tsx'
import { Ledger } from './Ledger.tsx'
import { dayWords } from './words.ts'

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
        >
          <Balances account={account} />
        </Split>
      )}
    </Screen>
  )
}

/** What there is of each kind, and how it came to that. */
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
        <Group gap={6} justify="flex-end">
          <ActButton size="compact-sm" variant="default" reason={lacking} onClick={() => ask('entitle')}>
            Change entitlement…
          </ActButton>
          <ActButton size="compact-sm" variant="default" reason={lacking} onClick={() => ask('adjust')}>
            Correct balance…
          </ActButton>
        </Group>
      }
    >
      <Stack gap={0}>
        <Table.ScrollContainer minWidth={560} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
          <Table verticalSpacing={7}>
            <Table.Thead>
              <Table.Tr>
                {['Kind', 'Left', 'Granted', 'Carried', 'Corrected', 'Expired', 'Asked for', 'Taken'].map(
                  (title, n) => (
                    <Table.Th key={title} ta={n ? 'right' : undefined}>
                      {title}
                    </Table.Th>
                  ),
                )}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody className="num">
              {account.balances.map(
                ({ type, entitlement, granted, carried, adjusted, expired, pending, used, balance }) => (
                  <Table.Tr key={type.id}>
                    <Table.Td>
                      {type.name}
                      {entitlement !== null && (
                        <Text c="dimmed" fz="xs">
                          {entitlement} a year instead of {type.yearlyDays}
                        </Text>
                      )}
                    </Table.Td>
                    <Table.Td ta="right" fw={600} c={balance < 0 ? 'error' : undefined}>
                      {type.deductsBalance ? balance : '–'}
                    </Table.Td>
                    {[granted, carried, adjusted, -expired, -pending, -used].map((days, n) => (
                      // biome-ignore lint/suspicious/noArrayIndexKey: six columns that never move
                      <Table.Td key={n} ta="right" c={days === 0 ? 'dimmed' : undefined}>
                        {days === 0 ? '–' : days < 0 ? `−${-days}` : days}
                      </Table.Td>
                    ))}
                  </Table.Tr>
                ),
              )}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </Stack>
      {dialog === 'entitle' && <EntitleModal account={account} close={close} />}
      {dialog === 'adjust' && <AdjustModal account={account} close={close} />}
    </Section>
  )
}
