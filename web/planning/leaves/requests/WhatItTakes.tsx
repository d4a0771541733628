import type { LeavePreview, LeaveType } from '@innkeeper/contract/planning/leaves/calls'
import { day } from '@innkeeper/contract/planning/leaves/calls'
import { List, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Section } from '../../../kit/frame/Section.tsx'
import { counted } from '../../../kit/look/format.ts'
import { SectionTable } from '../../../kit/look/SectionTable.tsx'
import { leavesApi } from '../api.ts'
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

const saidOf = (preview: LeavePreview | undefined): string =>
  preview ? `Takes ${daysWords(preview.days)}. ${decidedBy(preview)}` : 'Choose a kind and the days.'

const decidedBy = ({ approvers }: LeavePreview): string =>
  `Decided by ${approvers.length ? approvers.join(' or ') : 'whoever may decide about leaves'}.`

interface Props {
  preview: ReturnType<typeof usePreview>
  type: LeaveType | undefined
}

/** Preview beside the form: days deducted per year, days off anyway, and approvers. */
export function WhatItTakes({ preview: { data, error }, type }: Props) {
  return (
    <Section title="Charge" hint={data && daysWords(data.days)}>
      <Stack gap={12}>
        {error && <Text c="error">{error.message}</Text>}
        {!data && !error && <Text c="dimmed">The days are counted once a kind and a span are chosen.</Text>}
        {data && data.years.length > 0 && <Years years={data.years} />}
        {data && data.shifts !== null && (
          <Text c="dimmed">
            {data.shifts
              ? `By the roster: ${counted(data.shifts, ['shift', 'shifts'])}.`
              : 'No shift is rostered on these days.'}
          </Text>
        )}
        {data && (data.weekend > 0 || data.holidays.length > 0) && (
          <div>
            <Text fw={500}>Not counted</Text>
            <List fz="sm" c="dimmed" spacing={2}>
              {data.weekend > 0 && (
                <List.Item>{counted(data.weekend, ['day of a weekend', 'days of weekends'])}</List.Item>
              )}
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
    label="Days by year"
    narrow="scroll"
    edges={false}
    rows={years}
    keyOf={({ year }) => year}
    columns={[
      { title: 'Year', cell: ({ year }) => year },
      { title: 'Takes', align: 'right', cell: ({ days }) => days },
      { title: 'Left before', align: 'right', cell: ({ before }) => before ?? '–' },
      {
        title: 'Left after',
        align: 'right',
        cell: ({ after }) => (
          <Text span c={after !== null && after < 0 ? 'error' : undefined}>
            {after ?? '–'}
          </Text>
        ),
      },
    ]}
  />
)

/** Rules of a leave type in sentences. */
function Rules({ type }: { type: LeaveType }) {
  const rules = [
    type.isPaid ? 'Paid.' : 'Not paid.',
    ...(type.countsEveryDay ? ['Weekends and holidays count too.'] : []),
    ...(type.charge === 'days'
      ? []
      : [
          `On planned weeks ${type.charge === 'shifts' ? 'each shift takes a day' : 'the hours of the shifts count'}; weeks without shifts count working days.`,
        ]),
    ...(type.documentFromDays === null
      ? []
      : [`A document is needed from ${daysWords(Math.max(0.5, type.documentFromDays))} on.`]),
    ...(type.carryForwardMax > 0
      ? [`Up to ${daysWords(type.carryForwardMax)} are carried over into the next year.`]
      : []),
  ]
  return (
    <Text c="dimmed" fz="xs">
      {rules.join(' ')}
    </Text>
  )
}
