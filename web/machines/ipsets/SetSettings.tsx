import type { IpSetView } from '@innkeeper/contract/machines/ipsets/shapes'
import { Group, Stack } from '@mantine/core'
import { useReason } from '../../kit/access/reasons.ts'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormNotes } from '../../kit/form/FormNotes.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { Section } from '../../kit/frame/Section.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { ipsetsApi } from './api.ts'
import { touched } from './SetActs.tsx'
import { SetFields } from './SetFields.tsx'
import { labels } from './words.ts'

/** Servers and description of a set. */
export default function SetSettings({ set }: { set: IpSetView }) {
  const lacking = useReason()
  const { description, everywhere, serverIds, maxElements } = set
  const form = useCallForm(ipsetsApi.update, {
    initial: { description: description ?? '', everywhere, serverIds, maxElements },
    fixed: { id: set.name, version: set.version },
    labels,
    onDone: () => {
      void readAgain(touched)
      toast.success(`${set.name} is saved`)
    },
  })
  const reason = lacking(ipsetsApi.update)
  return (
    <form {...form.form}>
      <Stack gap={16} maw={720}>
        <FormNotes form={form} nothing="Nothing was saved." />
        <Section title="Where it is">
          <Stack gap={14}>
            <SetFields
              description={form.text('description')}
              everywhere={form.field('everywhere')}
              serverIds={form.field('serverIds')}
              maxElements={form.field('maxElements')}
              disabled={reason !== undefined}
            />
          </Stack>
        </Section>
        <Group justify="flex-end">
          <ActButton type="submit" loading={form.busy} reason={reason ?? form.lack}>
            Save set
          </ActButton>
        </Group>
      </Stack>
    </form>
  )
}
