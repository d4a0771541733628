import type { LeaveBalance } from '@innkeeper/contract/planning/leaves/calls'
import { SegmentedControl, Stack } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession } from '../../kit/access/session.ts'
import { today } from '../../kit/calendar/days.ts'
import { FigureRow } from '../../kit/charts/FigureRow.tsx'
import { Screen } from '../../kit/frame/Screen.tsx'
import { SkeletonLines } from '../../kit/frame/Skeletons.tsx'
import { Together } from '../../kit/frame/Together.tsx'
import { CreateButton } from '../../kit/list/CreateButton.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { useList } from '../../kit/list/useList.ts'
import { count } from '../../kit/look/format.ts'
import { useZone } from '../../kit/look/zone.ts'
import { leavesApi } from './api.ts'
import { LeaveCard, useOwnColumns } from './columns.tsx'
import { Feed } from './Feed.tsx'
import { useLeaveFilters } from './filters.ts'
import { LeaveDrawer } from './requests/LeaveDrawer.tsx'
import { useLeaveTexts } from './texts.ts'
import { daysWords, dayWords, kindWords } from './words.ts'

export default function MyScreen() {
  const words = useLeaveTexts()
  const columns = useOwnColumns()
  const { id } = useSession()
  const list = useList(leavesApi.ofUser, { filters: ['status', 'typeId'], fixed: { id } })
  const filters = useLeaveFilters().filter(({ key }) => key !== 'departmentId')
  const create = (
    <CreateButton call={leavesApi.create} to="/leaves/new">
      {words.request}
    </CreateButton>
  )
  return (
    <Screen
      scroll={false}
      actions={
        <>
          <Feed />
          {create}
        </>
      }
    >
      <Together>
        <Stack gap={0} px="var(--ink-gutter)" pb={12}>
          <Balances id={id} />
        </Stack>
        <ListTable
          name="own-leaves"
          noun={[words.one, words.many]}
          list={list}
          columns={columns}
          card={(leave) => <LeaveCard leave={leave} own />}
          label={(leave) => words.from(kindWords(leave), dayWords(leave.startDate))}
          filters={filters}
          empty={{
            title: words.emptyTitle,
            text: words.emptyText,
            action: create,
            tag: 'LV',
          }}
        />
      </Together>
      <LeaveDrawer />
    </Screen>
  )
}

/** Remaining days of each leave type of this or the next year; types without a balance show the days taken. */
function Balances({ id }: { id: number }) {
  const words = useLeaveTexts()
  const thisYear = Number(today(useZone()).slice(0, 4))
  const [year, setYear] = useState(thisYear)
  const { data, isLoading } = useQuery({ ...leavesApi.typesOf.query({ id, year }), placeholderData: keepPreviousData })
  const shown = (data?.items ?? []).filter(({ type, granted, used, pending, adjusted }) =>
    type.deductsBalance ? granted + adjusted + used + pending > 0 : used + pending > 0,
  )
  if (!data) return isLoading ? <SkeletonLines /> : null
  return (
    <>
      <SegmentedControl
        aria-label={words.yearOfBalances}
        size="xs"
        mb={8}
        style={{ alignSelf: 'flex-start' }}
        data={[thisYear, thisYear + 1].map((one) => ({ value: String(one), label: String(one) }))}
        value={String(year)}
        onChange={(next) => setYear(Number(next))}
      />
      <FigureRow
        figures={shown.map((one) => ({
          label: kindWords({ typeCode: one.type.code, typeName: one.type.name }),
          value: daysWords(one.type.deductsBalance ? one.balance : one.used),
          hint: saidOf(one, words),
        }))}
      />
    </>
  )
}

function saidOf(
  { type, granted, carried, adjusted, used, pending }: LeaveBalance,
  words: ReturnType<typeof useLeaveTexts>,
): string {
  const asked = pending > 0 ? [words.asked(count(pending, 1))] : []
  if (!type.deductsBalance) return [words.justTaken, ...asked].join(', ')
  return [
    words.left(count(granted + Math.max(0, carried) + adjusted, 1)),
    ...(used > 0 ? [words.taken(count(used, 1))] : []),
    ...asked,
  ].join(', ')
}
