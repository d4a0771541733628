import { namesIn, ofRecipient } from '@innkeeper/contract/desk/sms/text'
import { MessageField } from '../../kit/form/MessageField.tsx'
import type { FieldProps } from '../../kit/form/useCallForm.ts'
import { ofPeople, unfilled } from './examples.ts'

/** The text of a template: every name in braces is a placeholder, so that none is unknown. */
export function BodyField({ value, ...rest }: FieldProps<string>) {
  const own = namesIn(value).filter((name) => name && !ofRecipient.some((one) => one === name))
  const placeholders = [...ofPeople, ...own.map((name) => ({ name, example: unfilled(name) }))]
  return (
    <MessageField
      label="Text"
      description="Write {{server}} for what each message fills in. First name, last name and name come from the recipient."
      counts
      placeholders={placeholders}
      value={value}
      {...rest}
    />
  )
}
