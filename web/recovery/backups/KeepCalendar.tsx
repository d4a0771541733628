import { byDay, foresee } from '@innkeeper/contract/recovery/backups/foresee'
import type { KeepPolicy } from '@innkeeper/contract/recovery/backups/keep'
import type { Judged } from '@innkeeper/contract/recovery/backups/shapes'
import type { When } from '@innkeeper/contract/recovery/backups/when'
import { Text } from '@mantine/core'
import { useMemo } from 'react'
import { counted } from '../../kit/look/format.ts'
import css from './KeepCalendar.module.css'

interface Props {
  keep: KeepPolicy
  /** Schedule whose future backups are shown while none exist. */
  when?: When | undefined
  /** The present backups, as the policy judges them. */
  backups: readonly Judged[] | undefined
}
const DAYS = 365
const nouns = ['backup', 'backups'] as const

/** The last year by day: which backups a policy keeps or removes, of the present ones or those of a schedule. */
export function KeepCalendar({ keep, when, backups }: Props) {
  const present = Boolean(backups?.length)
  const { days, stay } = useMemo(() => {
    const now = new Date()
    const verdicts = backups?.length ? backups : when ? foresee(when, keep, now) : []
    return { days: byDay(verdicts, now, DAYS), stay: verdicts.filter(({ reasons }) => reasons.length).length }
  }, [keep, when, backups])
  if (!present && !when) return null
  // the field above already shows the counts of present backups
  const text = present
    ? ''
    : `In the long run ${counted(stay, nouns)} of each website ${stay === 1 ? 'is' : 'are'} kept.`
  return (
    <div className={css.calendar}>
      <div className={css.box}>
        <div className={css.days} role="img" aria-label={`What stays of the backups of the last year. ${text}`}>
          {days.map(({ day, stay, go }) => (
            <span
              key={day}
              className={css.day}
              data-state={stay ? 'stays' : go ? 'goes' : undefined}
              title={
                stay || go ? `${day}: ${stay} ${stay === 1 ? 'stays' : 'stay'}, ${go} ${go === 1 ? 'goes' : 'go'}` : day
              }
            />
          ))}
        </div>
      </div>
      <Text className={css.legend} c="dimmed" fz="xs" role="status">
        <span className={css.word}>
          <span className={css.day} data-state="stays" aria-hidden /> a backup of the day stays
        </span>
        <span className={css.word}>
          <span className={css.day} data-state="goes" aria-hidden /> all backups of the day go
        </span>
        {text && <span>{text}</span>}
      </Text>
    </div>
  )
}
