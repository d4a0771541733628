import type { FileConfig } from '@innkeeper/contract/desk/trackers/shapes'
import { fileTypes, type Tracker } from '@innkeeper/contract/desk/trackers/values'
import { Group, SimpleGrid, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useReason } from '../../kit/access/reasons.ts'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormNotes } from '../../kit/form/FormNotes.tsx'
import { MultiSelectField } from '../../kit/form/MultiSelectField.tsx'
import { NumberField } from '../../kit/form/NumberField.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { Section } from '../../kit/frame/Section.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { apiOf, hintOf } from './api.ts'

/** Which files may be attached. */
export function FileRules({ tracker }: { tracker: Tracker }) {
  const api = apiOf(tracker)
  const hidden = useReason()(api.fileConfig)
  const { data } = useQuery({ ...api.fileConfig.query(), enabled: !hidden })
  return data ? <Rules tracker={tracker} config={data} /> : null
}

function Rules({ tracker, config }: { tracker: Tracker; config: FileConfig }) {
  const api = apiOf(tracker)
  const reason = useReason()(api.updateFileConfig)
  const form = useCallForm(api.updateFileConfig, {
    initial: { maxSizeMb: config.maxSizeMb, maxFiles: config.maxFiles, mimeTypes: config.mimeTypes },
    fixed: { version: config.version },
    labels: { maxSizeMb: 'Largest file', maxFiles: 'Files per item', mimeTypes: 'Types' },
    onDone: () => {
      void readAgain([hintOf[tracker]])
      toast.success('The rules for files are saved')
    },
  })
  const { maxSizeMb, maxFiles, mimeTypes } = form.values
  return (
    <Section title="Files" hint="Types are read from the content, not from the name">
      <Stack gap={14}>
        <FormNotes form={form} nothing="Nothing was saved." />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <NumberField
            label="Largest file in MB"
            min={1}
            max={100}
            value={maxSizeMb}
            onChange={(n) => form.set('maxSizeMb', Number(n))}
          />
          <NumberField
            label="Files per item"
            min={1}
            max={200}
            value={maxFiles}
            onChange={(n) => form.set('maxFiles', Number(n))}
          />
        </SimpleGrid>
        <MultiSelectField
          label="Types"
          data={[...fileTypes]}
          value={mimeTypes}
          onChange={(next) =>
            form.set(
              'mimeTypes',
              fileTypes.filter((type) => next.includes(type)),
            )
          }
        />
        <Group justify="flex-end">
          {reason ? (
            <ActButton reason={reason}>Save</ActButton>
          ) : (
            <ActButton loading={form.busy} reason={form.lack} onClick={() => void form.save()}>
              Save
            </ActButton>
          )}
        </Group>
      </Stack>
    </Section>
  )
}
