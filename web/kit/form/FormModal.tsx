import { Button, Group, Stack, Text } from '@mantine/core'
import type { ComponentProps, ReactNode } from 'react'
import { Dialog } from '../dialogs/Dialog.tsx'
import { confirm } from '../dialogs/dialogs.ts'
import { frameTexts } from '../frame/texts.ts'
import { kitWords } from '../look/texts.ts'
import { FormNotes } from './FormNotes.tsx'

interface Shown extends ComponentProps<typeof FormNotes> {
  form: ComponentProps<typeof FormNotes>['form'] & {
    form: ComponentProps<'form'>
    valid: boolean
    busy: boolean
    dirty: boolean
    wanting?: string
  }
}
interface Props extends Shown {
  opened: boolean
  close: () => void
  title: string
  /** Verb and noun. */
  save: string
  /** Width in pixels; 480 by default. */
  size?: number
  children: ReactNode
}

/** A short form in a dialog. Closing it with unsaved changes asks first. */
export function FormModal({ opened, close, title, save, size = 480, form, nothing, children }: Props) {
  const leave = async () => {
    const question = {
      title: frameTexts().leaveTitle,
      text: frameTexts().leaveText,
      verb: frameTexts().leave,
      danger: true,
    }
    if (!form.dirty || (await confirm(question))) close()
  }
  return (
    <Dialog opened={opened} onClose={() => void leave()} title={title} size={size}>
      <form {...form.form}>
        <Stack gap={18}>
          <FormNotes form={form} nothing={nothing} />
          {children}
          <Group justify="space-between" gap={8} wrap="nowrap">
            <Text c="dimmed" fz="xs" aria-live="polite">
              {form.wanting}
            </Text>
            <Group gap={8} wrap="nowrap">
              <Button variant="default" onClick={() => void leave()}>
                {kitWords().cancel}
              </Button>
              <Button type="submit" loading={form.busy} disabled={!form.valid}>
                {save}
              </Button>
            </Group>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
