import { Tabs } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { usePaths } from '../paths.ts'

/** Score types and grades are two lists of one subject. */
export function ScoreLinks({ at }: { at: 'types' | 'grades' }) {
  const paths = usePaths()
  const navigate = useNavigate()
  return (
    <Tabs
      value={at}
      px="var(--ink-gutter)"
      onChange={(next) => void navigate({ to: next === 'grades' ? paths.grades : paths.types })}
    >
      <Tabs.List aria-label="Scores">
        <Tabs.Tab value="types">Score types</Tabs.Tab>
        <Tabs.Tab value="grades">Grades</Tabs.Tab>
      </Tabs.List>
    </Tabs>
  )
}
