import { Tabs } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useFace } from '../faces.ts'

/** Score types and grades are two lists of one subject. */
export function ScoreLinks({ at }: { at: 'types' | 'grades' }) {
  const face = useFace()
  const navigate = useNavigate()
  return (
    <Tabs
      value={at}
      px="var(--ink-gutter)"
      onChange={(next) => void navigate({ to: next === 'grades' ? face.grades : face.types })}
    >
      <Tabs.List aria-label="Scores">
        <Tabs.Tab value="types">Score types</Tabs.Tab>
        <Tabs.Tab value="grades">Grades</Tabs.Tab>
      </Tabs.List>
    </Tabs>
  )
}
