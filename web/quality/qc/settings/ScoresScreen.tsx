import { Anchor, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { LinkTo } from '../../../kit/frame/LinkTo.tsx'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { Section } from '../../../kit/frame/Section.tsx'
import { SectionTable } from '../../../kit/look/SectionTable.tsx'
import { qcSettingsApi } from '../api.ts'
import { rowPath, usePaths } from '../paths.ts'
import { TagChip } from '../TagChip.tsx'
import { usedForNames } from '../words.ts'

/** The rubric that reviewers use: each score type in use, with its share of the score and its grades. */
export default function ScoresScreen() {
  const paths = usePaths()
  const types = useQuery(qcSettingsApi.types.query({ itemsPerPage: 200, isActive: 'true' }))
  const grades = useQuery(qcSettingsApi.grades.query({ itemsPerPage: 200 }))
  const items = types.data?.items ?? []
  const all = items.reduce((sum, { weight }) => sum + weight, 0)
  const links = (
    <Group gap={16} wrap="nowrap" style={{ whiteSpace: 'nowrap' }}>
      <LinkTo to={paths.types}>Score types</LinkTo>
      <LinkTo to={paths.grades}>Grades</LinkTo>
    </Group>
  )
  return (
    <Screen query={{ ...types, isPending: types.isPending || grades.isLoading }}>
      <Stack gap={16} maw={980}>
        <Section title="Rubric" hint="what a new review asks for" aside={links} pad={false}>
          <SectionTable
            label="Rubric"
            rows={items}
            keyOf={({ id }) => id}
            empty="No score type is in use. Create grades, then the score types that offer them."
            columns={[
              {
                title: 'Score type',
                cell: ({ id, name, isCritical }) => (
                  <>
                    <Anchor href={rowPath(paths.type, id)}>{name}</Anchor>
                    {isCritical && (
                      <Text c="dimmed" fz="xs">
                        Critical: 0 makes the review 0
                      </Text>
                    )}
                  </>
                ),
              },
              { title: 'For', cell: ({ usedFor }) => usedForNames[usedFor] },
              {
                title: 'Grades',
                cell: ({ gradeIds }) => (
                  <Group gap={4}>
                    {gradeIds.map((id) => {
                      const grade = grades.data?.items.find((one) => one.id === id)
                      return grade && <TagChip key={id} name={`${grade.name} ${grade.value}`} colour={grade.colour} />
                    })}
                  </Group>
                ),
              },
              {
                title: 'Share',
                align: 'right',
                cell: ({ weight }) => (all ? `${Math.round((100 * weight) / all)} %` : '–'),
              },
            ]}
          />
        </Section>
        <Text c="dimmed" fz="xs">
          Shares are of all types in use. A review of a chat omits types for tickets, and N/A excludes the weight of its
          type.
        </Text>
      </Stack>
    </Screen>
  )
}
