import { Stack } from '@mantine/core'
import type { ComponentProps, ReactNode } from 'react'
import type { PageHeaderProps } from '../frame/PageHeader.tsx'
import { Screen } from '../frame/Screen.tsx'
import { Split } from '../frame/Section.tsx'
import { frameTexts } from '../frame/texts.ts'
import { FormNotes } from './FormNotes.tsx'
import css from './form.module.css'
import { SaveBar } from './SaveBar.tsx'

/** A form of useCallForm. */
type Form = ComponentProps<typeof FormNotes>['form'] & {
  form: ComponentProps<'form'>
  valid: boolean
  dirty: boolean
  busy: boolean
  wanting?: string | undefined
}

type Props = Partial<PageHeaderProps> & {
  form: Form
  /** What a refused form did not do: "Nothing was created." */
  nothing: string
  /** Greatest width of the fields, px. */
  width?: number | '100%'
  /** Beside the fields: a preview, or sections with data of their own. */
  side?: ReactNode
  /** Whether the form changes a row: saving then requires a change. */
  edits?: boolean
  /** Why saving is not allowed. */
  reason?: string | undefined
  /** Consequence of saving. */
  left?: ReactNode
  /** Verb and noun: "Create website". */
  save: string
  /** Disables saving while something outside the call's fields is missing. */
  disabled?: boolean
  onCancel: () => void
  extra?: ReactNode
  children: ReactNode
}

/** The page of a form: header, the server's messages, fields, and the save bar. */
export function FormScreen({ form, nothing, width = 640, side, edits = false, reason, children, ...props }: Props) {
  const { left = edits && frameTexts().notSaved, save, disabled = false, onCancel, extra, ...header } = props
  const unchanged = edits && !form.dirty
  const fields = (
    <Stack gap={18} maw={width}>
      <FormNotes form={form} nothing={nothing} />
      {children}
    </Stack>
  )
  return (
    <form {...form.form} className={css.form}>
      <Screen scroll={false} {...header}>
        <div className={css.body}>
          {side ? (
            <Split form side={side}>
              {fields}
            </Split>
          ) : (
            fields
          )}
        </div>
      </Screen>
      <SaveBar
        left={reason ?? form.wanting ?? (unchanged ? frameTexts().unchanged : left)}
        save={save}
        busy={form.busy}
        disabled={!form.valid || unchanged || disabled || reason !== undefined}
        onCancel={onCancel}
        extra={extra}
      />
    </form>
  )
}
