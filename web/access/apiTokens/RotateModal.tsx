import { type ApiToken, LONGEST_DAYS, OVERLAP_HOURS, USUAL_DAYS } from '@innkeeper/contract/access/apiTokens'
import { useState } from 'react'
import { readAgain } from '../../kit/api/readAgain.ts'
import { SecretOnce } from '../../kit/dialogs/SecretOnce.tsx'
import { FormModal } from '../../kit/form/FormModal.tsx'
import { NumberField } from '../../kit/form/NumberField.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { apiTokensApi } from './api.ts'

/** Gives a token a new value, and shows the value once. */
export function RotateModal({ token, close }: { token: ApiToken; close: () => void }) {
  const [value, setValue] = useState<string>()
  const form = useCallForm(apiTokensApi.rotate, {
    initial: { days: USUAL_DAYS as number | string, oldValidHours: 24 as number | string },
    fixed: { id: token.id },
    labels: { days: 'Valid for days', oldValidHours: 'Old value valid for hours' },
    onDone: (made) => {
      void readAgain(['apiTokens'])
      setValue(made.value)
    },
  })
  if (value)
    return (
      <SecretOnce
        title={`New value of ${token.name}`}
        text="Give it to the program in place of the old value."
        label="token"
        secret={value}
        close={close}
      />
    )
  return (
    <FormModal
      opened
      close={close}
      title={`Rotate ${token.name}`}
      save="Make new value"
      form={form}
      nothing="Nothing was changed."
    >
      <NumberField
        label="Old value valid for hours"
        description="Time to give the new value to the program; 0 ends the old one at once"
        min={0}
        max={OVERLAP_HOURS}
        {...form.field('oldValidHours')}
      />
      <NumberField label="New value valid for days" min={1} max={LONGEST_DAYS} {...form.field('days')} />
    </FormModal>
  )
}
