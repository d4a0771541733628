import { NumberField } from '../../kit/form/NumberField.tsx'

interface Props {
  days: number
  onChange: (days: number) => void
  error?: string | undefined
}

/** How long browsers refuse plain HTTP (HSTS). */
export default function HstsField({ days, onChange, error }: Props) {
  return (
    <NumberField
      label="HSTS, days"
      description="How long browsers refuse http; 0 turns HSTS off"
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      min={0}
      max={730}
      maw={260}
      value={days}
      onChange={(value) => onChange(Number(value) || 0)}
      error={error}
    />
  )
}
