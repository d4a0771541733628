import type { DossierFeedback } from '@innkeeper/contract/quality/dossiers/feedbackShapes'
import { CloseButton, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { filesApi } from '../../../desk/files/api.ts'
import { useReason } from '../../../kit/access/reasons.ts'
import { PickOne } from '../../../kit/form/PickOne.tsx'
import type { FieldProps } from '../../../kit/form/useCallForm.ts'
import { bytes } from '../../../kit/look/format.ts'

interface Named {
  id: number
  name: string
  size: number
}

/** Attaches files of the file manager. Readers of the entry can also read its files. */
export default function FilesField({ field, known }: { field: FieldProps<number[]>; known: DossierFeedback['files'] }) {
  const reason = useReason()(filesApi.list)
  const [added, add] = useState<Named[]>([])
  const all: readonly Named[] = [...known, ...added]
  return (
    <Stack gap={6}>
      <PickOne
        key={field.value.length} // resets the field after each added file
        label="Files"
        placeholder="One of your files"
        description="Whoever reads the entry reads its files"
        call={filesApi.list}
        nameOf={({ name }) => name}
        hint={({ size, ownerName }) => `${bytes(size)}, ${ownerName}`}
        closed={({ id }) => (field.value.includes(id) ? 'Added already' : undefined)}
        value={null}
        onChange={(id, file) => {
          if (id === null || !file) return
          add([...added, file])
          field.onChange([...field.value, id])
        }}
        error={field.error}
        reason={reason}
      />
      {field.value.map((id) => {
        const file = all.find((one) => one.id === id)
        return (
          <Group key={id} gap={8} wrap="nowrap">
            <Text truncate>{file?.name ?? 'File'}</Text>
            <Text c="dimmed" fz="xs">
              {file && bytes(file.size)}
            </Text>
            <CloseButton
              size="sm"
              aria-label={`Remove ${file?.name ?? 'the file'}`}
              onClick={() => field.onChange(field.value.filter((one) => one !== id))}
            />
          </Group>
        )
      })}
    </Stack>
  )
}
