import { useZone } from '../look/zone.ts'
import { DateTimeField, type DateTimeFieldProps } from './DateTimeField.tsx'
import { instantOf, localIn } from './wallClock.ts'
import { ownZone } from './zones.ts'

/** An instant, typed and shown on the wall clock of the person's own zone; held with its offset, as ISO 8601 has it. */
export function MomentField({ value, onChange, ...rest }: DateTimeFieldProps) {
  const zone = useZone() ?? ownZone()
  return (
    <DateTimeField
      zone={zone}
      {...rest}
      value={Number.isNaN(Date.parse(value)) ? '' : localIn(value, zone)}
      onChange={(local) => onChange(local && instantOf(local, zone))}
    />
  )
}
