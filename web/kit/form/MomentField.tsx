import { useZone } from '../look/zone.ts'
import { DateTimeField, type DateTimeFieldProps } from './DateTimeField.tsx'
import { instantOf, localIn } from './wallClock.ts'
import { ownZone } from './zones.ts'

/** An instant, shown in the person's time zone; the value is ISO 8601 with an offset. */
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
