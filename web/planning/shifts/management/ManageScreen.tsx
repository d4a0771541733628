import { Stack } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { addMonths, dayText, monthEnd, monthOf, readDay, today } from '../../../kit/calendar/days.ts'
import { PeriodBar } from '../../../kit/calendar/PeriodBar.tsx'
import { lazyPart } from '../../../kit/frame/lazyScreen.tsx'
import screen from '../../../kit/frame/Screen.module.css'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { Split } from '../../../kit/frame/Section.tsx'
import { SectionBars } from '../../../kit/frame/SectionBars.tsx'
import { Together } from '../../../kit/frame/Together.tsx'
import { useZone } from '../../../kit/look/zone.ts'
import { ChangesSection } from './ChangesSection.tsx'
import { MonthSection } from './MonthSection.tsx'
import { NotesSection } from './NotesSection.tsx'
import { StatisticsSection } from './StatisticsSection.tsx'

const TeamsSection = lazyPart(() => import('./TeamsSection.tsx'), SectionBars)
const RulesSection = lazyPart(() => import('./RulesSection.tsx'), SectionBars)
const CoverageSection = lazyPart(() => import('./CoverageSection.tsx'), SectionBars)

/** A month for planners: hours worked, coverage, changes and closing of the month. */
export default function ManageScreen() {
  const search: Readonly<Record<string, string | undefined>> = useSearch({ strict: false })
  const navigate = useNavigate()
  const now = today(useZone())
  const month = monthOf(readDay(search.day) ?? now)
  const show = (day: string) => void navigate({ to: '.', search: { ...search, day } })
  return (
    <Screen scroll={false}>
      <PeriodBar
        label={dayText(month, 'month')}
        unit="month"
        isNow={month === monthOf(now)}
        onTurn={(by) => show(addMonths(month, by))}
        onToday={() => show(now)}
      />
      <div className={screen.body}>
        <Together key={month}>
          <Stack gap={16}>
            <Split
              sideLast
              slim
              side={
                <>
                  <MonthSection month={month} now={now} />
                  <TeamsSection date={month > now ? month : now} />
                  <RulesSection />
                </>
              }
            >
              <StatisticsSection month={month} />
              <ChangesSection />
              <NotesSection from={month} to={monthEnd(month)} />
            </Split>
            <CoverageSection from={month} to={monthEnd(month)} />
          </Stack>
        </Together>
      </div>
    </Screen>
  )
}
