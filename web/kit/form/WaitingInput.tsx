import { TextInput, type TextInputProps } from '@mantine/core'

type Shown = 'label' | 'description' | 'error' | 'placeholder' | 'required' | 'withAsterisk' | 'aria-label'
type Layout = 'size' | 'inputWrapperOrder' | 'w' | 'maw' | 'style' | 'className'
interface Props extends Pick<TextInputProps, Shown | Layout> {
  value?: unknown
  defaultValue?: unknown
  suffix?: string
}

const textOf = (value: unknown, suffix = '') =>
  typeof value === 'number' || (typeof value === 'string' && value) ? `${value}${suffix}` : ''

/** Shown while the code of an input loads: equal height, label and error. Disabled, so that no focus is lost. */
export function WaitingInput({ value, defaultValue, suffix, ...props }: Props) {
  const { label, description, error, placeholder, required, withAsterisk, 'aria-label': name } = props
  const { size, inputWrapperOrder, w, maw, style, className } = props
  return (
    <TextInput
      {...{ label, description, error, placeholder, required, withAsterisk, 'aria-label': name }}
      {...{ size, inputWrapperOrder, w, maw, style, className }}
      value={textOf(value ?? defaultValue, suffix)}
      disabled
      readOnly
    />
  )
}
