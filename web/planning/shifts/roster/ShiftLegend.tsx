import { useQuery } from '@tanstack/react-query'
import { useReason } from '../../../kit/access/reasons.ts'
import { Legend } from '../../../kit/calendar/Legend.tsx'
import { shiftsApi } from '../api.ts'
import { shiftTexts } from '../texts.ts'

/** Legend of the shift types in use. */
export function ShiftLegend() {
  const lacking = useReason()(shiftsApi.types)
  const { data } = useQuery({ ...shiftsApi.types.query({ isActive: 'true' }), enabled: !lacking })
  const types = (data?.items ?? []).map(({ code, name, startTime, endTime, colour }) => ({
    ...{ short: code, label: name, hint: `${startTime}–${endTime}`, colour },
  }))
  return (
    <Legend
      entries={[...types, { short: '', label: shiftTexts().leave }, { short: '×', label: shiftTexts().dayOff }]}
    />
  )
}
