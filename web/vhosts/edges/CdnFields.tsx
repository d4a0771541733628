import { Switch, TextInput } from '@mantine/core'
import type { FieldProps } from '../../kit/form/useCallForm.ts'

interface Props {
  minutes: FieldProps<number | string>
  stale: FieldProps<boolean>
}

export const CdnFields = ({ minutes, stale }: Props) => (
  <>
    <TextInput
      label="Keep pages for"
      description="Minutes, for pages of which the website does not say how long; at most 30 days"
      inputMode="numeric"
      rightSection="min"
      rightSectionPointerEvents="none"
      value={String(minutes.value)}
      onChange={(event) => minutes.onChange(event.currentTarget.value)}
      onBlur={minutes.onBlur}
      error={minutes.error}
    />
    <Switch
      label="Go on showing pages while the website’s server fails"
      description="What was kept is shown until that answers again"
      checked={stale.value}
      onChange={(event) => stale.onChange(event.currentTarget.checked)}
    />
  </>
)
