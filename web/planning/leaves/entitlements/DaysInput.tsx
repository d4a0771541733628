import type { ReactNode } from 'react'
import { NumberField } from '../../../kit/form/NumberField.tsx'

interface Props {
  label: string
  description?: ReactNode
  name?: string
  value: number | ''
  onChange: (days: number | '') => void
  onBlur?: () => void
  error?: ReactNode
  required?: boolean
  min?: number
}

/** Number input for whole and half days. */
export const DaysInput = ({ onChange, required, min = 0, ...props }: Props) => (
  <NumberField
    step={0.5}
    min={min}
    max={400}
    decimalScale={1}
    withAsterisk={required}
    {...props}
    onChange={(value) => onChange(typeof value === 'number' ? value : '')}
  />
)
