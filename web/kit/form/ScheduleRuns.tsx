import { Text } from '@mantine/core'
import { moment } from '../look/format.ts'
import { useZone } from '../look/zone.ts'
import { nextRuns, type Schedule } from './schedule.ts'
import { ownZone } from './zones.ts'

/** A schedule in words, with its next three runs. */
export function ScheduleRuns({ sentence, schedule }: { sentence: string; schedule: Schedule }) {
  const runs = nextRuns(schedule, new Date(), 3)
  const isElsewhere = schedule.timeZone !== (useZone() ?? ownZone())
  return (
    <div>
      <Text role="status">
        {sentence}, {schedule.timeZone.replaceAll('_', ' ')}
      </Text>
      <Text c="dimmed" fz="xs" className="num">
        {runs.length
          ? `Next: ${runs.map(moment).join(' · ')}${isElsewhere ? ', in your own time zone' : ''}`
          : 'No day fits this rule.'}
      </Text>
    </div>
  )
}
