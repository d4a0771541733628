import type { LeavePreview, LeaveType } from '@innkeeper/contract/planning/leaves/calls'
import { day } from '@innkeeper/contract/planning/leaves/calls'
import { List, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Section } from '../../../kit/frame/Section.tsx'
import { count } from '../../../kit/look/format.ts'
import { SectionTable } from '../../../kit/look/SectionTable.tsx'
import { leavesApi } from '../api.ts'
import { requestTexts } from '../texts.ts'
import { daysWords, dayWords } from '../words.ts'

interface Wanted {
  typeId: number | undefined
  startDate: string
  endDate: string
  startPart: LeavePart
  endPart: LeavePart | undefined
  userId: number | undefined
}
type LeavePart = 'full' | 'morning' | 'afternoon'

const isDay = (text: string) => day.safeParse(text).success

/** Previews the effect of a request during typing. */
export function usePreview({ typeId, startDate, endDate, startPart, endPart, userId }: Wanted) {
  const [wanted] = useDebouncedValue({ typeId: typeId ?? 0, startDate, endDate, startPart, endPart, userId }, 250)
  const isWhole = wanted.typeId > 0 && isDay(wanted.startDate) && isDay(wanted.endDate)
  const { data, error } = useQuery({
    ...leavesApi.preview.query(wanted),
    enabled: isWhole,
    retry: false,
    placeholderData: keepPreviousData,
  })
  const shown = isWhole ? data : undefined
  const problems = Object.values(shown?.problems ?? {})
  return {
    data: shown,
    error: isWhole && error ? error : undefined,
    blocked: problems.length > 0 || (isWhole && error !== null),
    said: error && isWhole ? error.message : (problems[0] ?? saidOf(shown)),
  }
}

const saidOf = (preview: LeavePreview | undefined): string => {
  const words = requestTexts()
  return preview ? `${words.takes(daysWords(preview.days))} ${decidedBy(preview)}` : words.choose
}

const decidedBy = ({ approvers }: LeavePreview): string => {
  const words = requestTexts()
  return words.decidedBy(approvers.length ? approvers.join(words.or) : words.whoever)
}

interface Props {
  preview: ReturnType<typeof usePreview>
  type: LeaveType | undefined
}

/** Preview beside the form: days deducted per year, days off anyway, and approvers. */
export function WhatItTakes({ preview: { data, error }, type }: Props) {
  const words = requestTexts()
  return (
    <Section title={words.charge} hint={data && daysWords(data.days)}>
      <Stack gap={12}>
        {error && <Text c="error">{error.message}</Text>}
        {!data && !error && <Text c="dimmed">{words.notCountedYet}</Text>}
        {data && data.years.length > 0 && <Years years={data.years} />}
        {data && data.shifts !== null && (
          <Text c="dimmed">{data.shifts ? words.byRoster(data.shifts) : words.noShift}</Text>
        )}
        {data && (data.weekend > 0 || data.holidays.length > 0) && (
          <div>
            <Text fw={500}>{words.notCounted}</Text>
            <List fz="sm" c="dimmed" spacing={2}>
              {data.weekend > 0 && <List.Item>{words.weekend(data.weekend)}</List.Item>}
              {data.holidays.map(({ date, name }) => (
                <List.Item key={date}>
                  {dayWords(date)}, {name}
                </List.Item>
              ))}
            </List>
          </div>
        )}
        {data &&
          Object.values(data.problems).map((text) => (
            <Text key={text} c="error">
              {text}
            </Text>
          ))}
        {data && <Text c="dimmed">{decidedBy(data)}</Text>}
        {type && <Rules type={type} />}
      </Stack>
    </Section>
  )
}

const Years = ({ years }: { years: LeavePreview['years'] }) => (
  <SectionTable
    label={requestTexts().daysByYear}
    narrow="scroll"
    edges={false}
    rows={years}
    keyOf={({ year }) => year}
    columns={[
      { title: requestTexts().year, cell: ({ year }) => year },
      { title: requestTexts().yearTakes, align: 'right', cell: ({ days }) => count(days, 1) },
      {
        title: requestTexts().before,
        align: 'right',
        cell: ({ before }) => (before === null ? '–' : count(before, 1)),
      },
      {
        title: requestTexts().after,
        align: 'right',
        cell: ({ after }) => (
          <Text span c={after !== null && after < 0 ? 'error' : undefined}>
            {after === null ? '–' : count(after, 1)}
          </Text>
        ),
      },
    ]}
  />
)

/** Rules of a leave type in sentences. */
function Rules({ type }: { type: LeaveType }) {
  const words = requestTexts()
  const rules = [
    type.isPaid ? words.paid : words.notPaid,
    ...(type.countsEveryDay ? [words.everyDay] : []),
    ...(type.charge === 'days' ? [] : [type.charge === 'shifts' ? words.byShifts : words.byHours]),
    ...(type.documentFromDays === null ? [] : [words.needsDocument(daysWords(Math.max(0.5, type.documentFromDays)))]),
    ...(type.carryForwardMax > 0 ? [words.carried(daysWords(type.carryForwardMax))] : []),
  ]
  return (
    <Text c="dimmed" fz="xs">
      {rules.join(' ')}
    </Text>
  )
}
