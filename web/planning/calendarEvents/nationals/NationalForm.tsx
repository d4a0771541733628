import type { ComponentProps, ReactNode } from 'react'
import { FormScreen } from '../../../kit/form/FormScreen.tsx'
import { type NationalForm as Fields, NationalFields } from './NationalFields.tsx'
import { NationalPreview } from './NationalPreview.tsx'

interface Props {
  form: Fields & ComponentProps<typeof FormScreen>['form']
  id?: number
  title?: string
  save: string
  nothing: string
  edits?: boolean
  left?: string
  actions?: ReactNode
  cancel: () => void
}

/** Form with the rule on the left and a preview on the right. */
export const NationalForm = ({ form, id, title, save, nothing, edits, left, actions, cancel }: Props) => (
  <FormScreen
    form={form}
    title={title}
    actions={actions}
    nothing={nothing}
    side={<NationalPreview id={id} wanted={form.values} />}
    left={left ?? 'New shifts and leaves take it into account.'}
    save={save}
    edits={edits}
    onCancel={cancel}
  >
    <NationalFields form={form} />
  </FormScreen>
)
