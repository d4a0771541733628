import { Checkbox, Group, Input, NativeSelect, TextInput } from '@mantine/core'
import { type ReactNode, useId, useState } from 'react'
import { amountIn, bytesOf, readBytes, type Unit, unitFor, unitIn, units, writeBytes } from './bytes.ts'
import { useTyped, WRONG } from './useTyped.ts'

interface Props {
  label: string
  description?: ReactNode
  required?: boolean
  disabled?: boolean
  error?: ReactNode
  /** Bytes. Null means unlimited if `unlimited` is set, otherwise an empty field. */
  value: number | null
  onChange: (bytes: number | null) => void
  onBlur?: () => void
  /** Offers "unlimited". */
  unlimited?: boolean
  min?: number
  max?: number
  /** The unit of an empty field. */
  unit?: Unit
}

/** A number of bytes with a unit: "10" and GiB, or "10 GiB" in one. */
export function QuotaField(props: Props) {
  const { label, description, required, disabled, error, value, onChange, onBlur, unlimited, min = 0, max } = props
  const [unit, setUnit] = useState<Unit>(value ? unitFor(value) : (props.unit ?? 'GiB'))
  const [limited, setLimited] = useState<number>()
  const id = useId()
  const isUnlimited = unlimited === true && value === null
  const typed = useTyped({
    value: value === null ? '' : String(value),
    // an empty text does not select "unlimited"
    onChange: (bytes) => (bytes === '' ? unlimited || onChange(null) : onChange(Number(bytes))),
    onBlur,
    write: (bytes) => (bytes === '' ? '' : amountIn(Number(bytes), unit)),
    read: (text) => readBytes(text, unit)?.toString(),
  })
  /** On blur, moves a typed unit to the select: "10 MiB" becomes 10 and MiB. */
  const takeUnit = () => {
    const named = unitIn(typed.text)
    if (named && !typed.isUnread) setUnit(named)
  }
  const problem = typed.isWrong ? 'A size such as 10 GiB' : outside(value, min, max)
  const choose = (next: Unit) => {
    const bytes = readBytes(typed.text, next)
    setUnit(next)
    if (bytes !== undefined) onChange(bytes)
  }
  return (
    <Input.Wrapper
      label={label}
      description={description}
      error={problem ?? error}
      withAsterisk={required}
      labelProps={{ htmlFor: id }}
    >
      <Group gap={8} wrap="nowrap" align="center">
        <TextInput
          id={id}
          inputMode="decimal"
          autoComplete="off"
          flex={1}
          miw={64}
          maw={160}
          required={required && !isUnlimited}
          withAsterisk={false}
          disabled={disabled || isUnlimited}
          {...typed.input}
          value={isUnlimited ? '' : typed.text}
          onBlur={() => {
            takeUnit()
            typed.input.onBlur()
          }}
          {...{ [WRONG]: typed.isUnread || problem !== undefined || undefined }}
          error={problem !== undefined || Boolean(error)}
          aria-describedby={`${id}-unit`}
        />
        <NativeSelect
          id={`${id}-unit`}
          aria-label={`Unit of ${label}`}
          w={86}
          data={[...units]}
          value={unit}
          disabled={disabled || isUnlimited}
          onChange={(event) => choose(units.find((one) => one === event.currentTarget.value) ?? unit)}
        />
        {unlimited && (
          <Checkbox
            label="Unlimited"
            checked={isUnlimited}
            disabled={disabled}
            onChange={(event) => {
              if (event.currentTarget.checked) {
                setLimited(value ?? undefined)
                onChange(null)
              } else onChange(limited ?? Math.max(min, bytesOf(unit)))
            }}
          />
        )}
      </Group>
    </Input.Wrapper>
  )
}

function outside(value: number | null, min: number, max: number | undefined): string | undefined {
  if (value === null) return undefined
  if (value < min) return `At least ${writeBytes(min)}`
  return max !== undefined && value > max ? `At most ${writeBytes(max)}` : undefined
}
