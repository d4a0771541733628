import { Stack } from '@mantine/core'
import type { ComponentProps, ReactNode } from 'react'
import { FormNotes } from '../../kit/form/FormNotes.tsx'
import css from '../../kit/form/form.module.css'
import { SaveBar } from '../../kit/form/SaveBar.tsx'
import { Screen } from '../../kit/frame/Screen.tsx'
import { Split } from '../../kit/frame/Section.tsx'
import { type NationalForm as Fields, NationalFields } from './NationalFields.tsx'
import { NationalPreview } from './NationalPreview.tsx'

interface Props {
  form: Fields &
    ComponentProps<typeof FormNotes>['form'] & {
      form: ComponentProps<'form'>
      valid: boolean
      busy: boolean
      wanting?: string
    }
  id?: number
  title?: string
  save: string
  nothing: string
  idle?: boolean
  left?: string
  actions?: ReactNode
  cancel: () => void
}

/** Form with the rule on the left and a preview on the right. */
export const NationalForm = ({ form, id, title, save, nothing, idle, left, actions, cancel }: Props) => (
  <form {...form.form} className={css.form}>
    <Screen scroll={false} title={title} actions={actions}>
      <div className={css.body}>
        <Split form side={<NationalPreview id={id} wanted={form.values} />}>
          <Stack gap={18} maw={640}>
            <FormNotes form={form} nothing={nothing} />
            <NationalFields form={form} />
          </Stack>
        </Split>
      </div>
    </Screen>
    <SaveBar
      left={form.wanting ?? left ?? 'Shifts and leaves reckon with it from now on.'}
      save={save}
      busy={form.busy}
      disabled={!form.valid || idle}
      onCancel={cancel}
    />
  </form>
)
