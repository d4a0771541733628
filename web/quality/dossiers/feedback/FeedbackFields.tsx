import type { DossierFeedback } from '@innkeeper/contract/quality/dossiers/feedbackShapes'
import { type Visibility, visibilities } from '@innkeeper/contract/quality/dossiers/values'
import { Radio, SimpleGrid, Stack, Text, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useReason } from '../../../kit/access/reasons.ts'
import { DateField } from '../../../kit/form/DateField.tsx'
import { MultiSelectField } from '../../../kit/form/MultiSelectField.tsx'
import { PickOne } from '../../../kit/form/PickOne.tsx'
import type { FieldProps, TextProps } from '../../../kit/form/useCallForm.ts'
import { WaitingInput } from '../../../kit/form/WaitingInput.tsx'
import { lazyPart } from '../../../kit/frame/lazyScreen.tsx'
import { categoriesApi, feedbackApi, reviewCategoriesApi, typesApi, type WordApi } from '../api.ts'
import { visibilityNames } from '../words.ts'
import { Readers } from './Readers.tsx'
import { useAudience } from './useAudience.ts'

const FilesField = lazyPart(
  () => import('./FilesField.tsx'),
  () => <WaitingInput label="Files" description="Whoever reads the entry reads its files" />,
)

export const feedbackLabels = {
  ...{ content: 'Text', visibility: 'Who reads it', typeId: 'Type', categoryId: 'Category' },
  ...{ reviewCategoryId: 'Review category', mentions: 'Mention', fileIds: 'Files', followUpOn: 'Follow up on' },
}
const none = null as number | null
export const noFeedback = {
  ...{ content: '', visibility: 'subject-and-manager' as Visibility, isDraft: false },
  ...{ typeId: none, categoryId: none, reviewCategoryId: none, mentions: [] as number[], fileIds: [] as number[] },
  followUpOn: '',
}

interface Form {
  text: (key: 'content') => TextProps
  field: {
    (key: 'typeId' | 'categoryId' | 'reviewCategoryId'): FieldProps<number | null>
    (key: 'followUpOn'): FieldProps<string>
    (key: 'mentions' | 'fileIds'): FieldProps<number[]>
    (key: 'visibility'): FieldProps<Visibility>
  }
}
interface Props {
  form: Form
  userId: number
  entry?: DossierFeedback
}

/** Fields of an entry. Who reads it comes before the text. */
export function FeedbackFields({ form, userId, entry }: Props) {
  const lacking = useReason()
  const { value: visibility, onChange, error } = form.field('visibility')
  const names = useAudience(userId, visibility, entry?.id)
  const word = (key: 'typeId' | 'categoryId' | 'reviewCategoryId', call: WordApi['list'], name?: string | null) => (
    <PickOne
      label={feedbackLabels[key]}
      call={call}
      nameOf={(row) => row.name}
      closed={({ isActive }) => (isActive ? undefined : 'No longer offered')}
      valueName={name ?? null}
      reason={lacking(call)}
      {...form.field(key)}
    />
  )
  return (
    <>
      <Radio.Group
        label={feedbackLabels.visibility}
        value={visibility}
        onChange={(next) => onChange(visibilities.find((one) => one === next) ?? visibility)}
        error={error}
      >
        <SimpleGrid cols={{ base: 2, sm: 4 }} mt={6}>
          {visibilities.map((one) => (
            <Radio key={one} value={one} label={visibilityNames[one]} />
          ))}
        </SimpleGrid>
      </Radio.Group>
      <Readers visibility={visibility} names={names ?? ''} />
      <Textarea label={feedbackLabels.content} autosize minRows={6} dir="auto" {...form.text('content')} />
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        {word('typeId', typesApi.list, entry?.type?.name)}
        {word('categoryId', categoriesApi.list, entry?.category?.name)}
        {word('reviewCategoryId', reviewCategoriesApi.list, entry?.reviewCategory?.name)}
      </SimpleGrid>
      <Mentions userId={userId} visibility={visibility} field={form.field('mentions')} />
      <FilesField field={form.field('fileIds')} known={entry?.files ?? []} />
      <DateField
        label={feedbackLabels.followUpOn}
        description="You are reminded on the day"
        {...form.field('followUpOn')}
      />
    </>
  )
}

/** Offers those who may read the entry, and nobody else. */
function Mentions({
  userId,
  visibility,
  field,
}: {
  userId: number
  visibility: Visibility
  field: FieldProps<number[]>
}) {
  const found = useQuery(feedbackApi.audience.query({ userId, visibility }))
  const people = found.data?.people ?? []
  const known = new Set(people.map(({ id }) => id))
  const lost = field.value.filter((id) => !known.has(id))
  return (
    <Stack gap={4}>
      <MultiSelectField
        label={feedbackLabels.mentions}
        placeholder={people.length ? 'People who may read it' : 'Nobody else reads it'}
        searchable
        data={[
          ...people.map(({ id, name }) => ({ value: String(id), label: name })),
          ...lost.map((id) => ({ value: String(id), label: 'Somebody who may not read it' })),
        ]}
        value={field.value.map(String)}
        onChange={(ids) => field.onChange(ids.map(Number))}
        error={field.error}
      />
      {lost.length > 0 && found.data && (
        <Text fz="xs" c="error">
          A mentioned person may not read the entry.
        </Text>
      )}
    </Stack>
  )
}
