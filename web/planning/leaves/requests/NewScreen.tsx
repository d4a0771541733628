import { leavePart } from '@innkeeper/contract/planning/leaves/calls'
import { FileInput, SegmentedControl, Select, SimpleGrid, Stack, Text, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useReason } from '../../../kit/access/reasons.ts'
import { useSession } from '../../../kit/access/session.ts'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { DateField } from '../../../kit/form/DateField.tsx'
import { FormScreen } from '../../../kit/form/FormScreen.tsx'
import { PickOne } from '../../../kit/form/PickOne.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { leavesApi } from '../api.ts'
import { leaveTexts, requestTexts } from '../texts.ts'
import { daysWords, kindWords, partOptions, rangeWords } from '../words.ts'
import { usePreview, WhatItTakes } from './WhatItTakes.tsx'

const labelsOf = (words: ReturnType<typeof requestTexts>) => ({
  typeId: words.kindOfLeave,
  startDate: words.firstDay,
  endDate: words.lastDay,
  startPart: words.partOfDay,
  reason: words.reason,
  document: words.document,
  userId: words.person,
})
const parts = (values: readonly (typeof leavePart.options)[number][], words: Partial<Record<string, string>> = {}) =>
  values.map((value) => ({ value, label: words[value] ?? partOptions()[value] }))

export default function NewScreen() {
  const words = requestTexts()
  const labels = labelsOf(words)
  const navigate = useNavigate()
  const { id: own } = useSession()
  const lacking = useReason()
  const notForOthers = lacking('calendar:employee:update')
  const toOwn = () => void navigate({ to: '/leaves/my' })
  const form = useCallForm(leavesApi.create, {
    initial: {
      typeId: undefined as number | undefined,
      startDate: '',
      endDate: '',
      startPart: 'full' as (typeof leavePart.options)[number],
      endPart: undefined as (typeof leavePart.options)[number] | undefined,
      reason: '',
      document: undefined as File | undefined,
      userId: undefined as number | undefined,
    },
    labels,
    onDone: (leave) => {
      void readAgain(['leaves'])
      toast.success(words.isRequested(kindWords(leave)), `${rangeWords(leave)}, ${daysWords(leave.days)}`)
      if (leave.userId === own) toOwn()
      else void navigate({ to: '/leaves/all' })
    },
  })
  const { values, set, field, text } = form
  const types = useQuery(leavesApi.typesOf.query({ id: values.userId ?? own }))
  const type = types.data?.items.find((balance) => balance.type.id === values.typeId)?.type
  const preview = usePreview(values)
  const isLong = values.endDate !== '' && values.endDate !== values.startDate
  const problem = (key: keyof typeof values) => field(key).error ?? preview.data?.problems[key]
  const chooseStart = (startDate: string) => {
    // the end defaults to the start
    if (!values.endDate || values.endDate < startDate) set('endDate', startDate)
    set('startDate', startDate)
    chooseParts(startDate, values.endDate < startDate ? startDate : values.endDate)
  }
  const chooseEnd = (endDate: string) => {
    set('endDate', endDate)
    chooseParts(values.startDate, endDate)
  }
  /** Resets half-day parts to whole days where the new days do not allow them. */
  const chooseParts = (from: string, to: string) => {
    const long = to !== '' && to !== from
    if (long && values.startPart === 'morning') set('startPart', 'full')
    if (!long) set('endPart', undefined)
  }
  return (
    <FormScreen
      form={form}
      nothing={words.nothing}
      side={<WhatItTakes preview={preview} type={type} />}
      left={<Text span>{preview.said}</Text>}
      save={leaveTexts().request}
      disabled={preview.blocked}
      onCancel={toOwn}
    >
      {!notForOthers && (
        <PickOne
          label={labels.userId}
          placeholder={words.yourself}
          description={words.forOthers}
          call={leavesApi.employees}
          nameOf={({ name }) => name}
          hint={({ departmentName }) => departmentName}
          value={values.userId ?? null}
          reason={lacking(leavesApi.employees)}
          onChange={(id) => set('userId', id ?? undefined)}
          error={field('userId').error}
        />
      )}
      <Select
        label={labels.typeId}
        withAsterisk
        allowDeselect={false}
        data={(types.data?.items ?? []).map(({ type: { id, code, name, deductsBalance }, balance }) => {
          const kind = kindWords({ typeCode: code, typeName: name })
          return { value: String(id), label: deductsBalance ? words.left(kind, daysWords(balance)) : kind }
        })}
        value={values.typeId === undefined ? null : String(values.typeId)}
        onChange={(id) => set('typeId', id === null ? undefined : Number(id))}
        onBlur={field('typeId').onBlur}
        error={field('typeId').error ?? types.error?.message}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={14} verticalSpacing={18}>
        <DateField
          label={labels.startDate}
          {...field('startDate')}
          onChange={chooseStart}
          error={problem('startDate')}
        />
        <DateField
          label={labels.endDate}
          min={values.startDate || undefined}
          {...field('endDate')}
          onChange={chooseEnd}
          error={problem('endDate')}
        />
        <Part
          label={isLong ? words.firstIs : labels.startPart}
          data={isLong ? parts(['full', 'afternoon'], { afternoon: leaveTexts().aFromNoon }) : parts(leavePart.options)}
          value={values.startPart}
          onChange={(part) => set('startPart', part)}
          error={problem('startPart')}
        />
        {isLong && (
          <Part
            label={words.lastIs}
            data={parts(['full', 'morning'], { morning: leaveTexts().anUntilNoon })}
            value={values.endPart ?? 'full'}
            onChange={(part) => set('endPart', part)}
            error={problem('endPart')}
          />
        )}
      </SimpleGrid>
      <Textarea label={labels.reason} description={words.onlyApprovers} autosize minRows={2} {...text('reason')} />
      <FileInput
        label={labels.document}
        description={words.documentHint}
        placeholder={words.chooseFile}
        clearable
        accept="application/pdf,image/png,image/jpeg,image/webp"
        withAsterisk={preview.data?.documentNeeded === true}
        value={values.document ?? null}
        onChange={(file) => set('document', file ?? undefined)}
        error={field('document').error}
      />
    </FormScreen>
  )
}

interface PartProps {
  label: string
  data: { value: (typeof leavePart.options)[number]; label: string }[]
  value: (typeof leavePart.options)[number]
  onChange: (part: (typeof leavePart.options)[number]) => void
  error?: string
}

const Part = ({ label, data, value, onChange, error }: PartProps) => (
  <Stack gap={4}>
    <Text fw={500} fz="sm">
      {label}
    </Text>
    <SegmentedControl aria-label={label} data={data} value={value} onChange={onChange} />
    {error && (
      <Text c="error" fz="xs">
        {error}
      </Text>
    )}
  </Stack>
)
