import { Stack } from '@mantine/core'
import type { ComponentProps, ReactNode } from 'react'
import { FormNotes } from '../../kit/form/FormNotes.tsx'
import css from '../../kit/form/form.module.css'
import { SaveBar } from '../../kit/form/SaveBar.tsx'
import { Screen } from '../../kit/frame/Screen.tsx'

interface Shown {
  form: ComponentProps<'form'>
  valid: boolean
  dirty: boolean
  busy: boolean
  wanting?: string
}
interface Props {
  form: Shown & ComponentProps<typeof FormNotes>['form']
  /** Of the row; absent while it is created. */
  title?: string
  meta?: ReactNode
  /** Consequence of saving. */
  left: ReactNode
  save: string
  /** Why saving is not allowed. */
  reason?: string
  onCancel: () => void
  side?: ReactNode
  children: ReactNode
}

/** The page of one setting: fields, and the consequence beside the button. */
export const SettingForm = ({ form, title, meta, left, save, reason, onCancel, side, children }: Props) => (
  <form {...form.form} className={css.form}>
    <Screen scroll={false} {...(title !== undefined && { title })} meta={meta}>
      <div className={css.body}>
        <Stack gap={18} maw={640}>
          <FormNotes form={form} nothing={title === undefined ? 'Nothing was created.' : 'Nothing was saved.'} />
          {children}
          {side}
        </Stack>
      </div>
    </Screen>
    <SaveBar
      left={reason ?? form.wanting ?? left}
      save={save}
      busy={form.busy}
      disabled={!form.valid || reason !== undefined || (title !== undefined && !form.dirty)}
      onCancel={onCancel}
    />
  </form>
)
