import { Anchor, Group, Stack, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import { Screen } from '../../kit/frame/Screen.tsx'
import { Section } from '../../kit/frame/Section.tsx'
import { qcSettingsApi } from '../api.ts'
import { rowPath, useFace } from '../faces.ts'
import { TagChip } from '../TagChip.tsx'
import { usedForNames } from '../words.ts'

/** The rubric that reviewers use: each score type in use, with its share of the score and its grades. */
export default function ScoresScreen() {
  const face = useFace()
  const types = useQuery(qcSettingsApi.types.query({ itemsPerPage: 200, isActive: 'true' }))
  const { data: grades } = useQuery(qcSettingsApi.grades.query({ itemsPerPage: 200 }))
  const items = types.data?.items ?? []
  const all = items.reduce((sum, { weight }) => sum + weight, 0)
  const links = (
    <Group gap={16}>
      <LinkTo to={face.types}>Score types</LinkTo>
      <LinkTo to={face.grades}>Grades</LinkTo>
    </Group>
  )
  return (
    <Screen query={types}>
      <Stack gap={16} maw={980}>
        <Section title="Rubric" hint="what a new review asks for" aside={links} pad={false}>
          {items.length === 0 ? (
            <Text c="dimmed" p={14}>
              No score type is in use. Create grades, then the score types that offer them.
            </Text>
          ) : (
            <Table.ScrollContainer type="native" tabIndex={0} minWidth={560}>
              <Table>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>Score type</Table.Th>
                    <Table.Th>For</Table.Th>
                    <Table.Th>Grades</Table.Th>
                    <Table.Th ta="right">Share</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {items.map((type) => (
                    <Table.Tr key={type.id}>
                      <Table.Td>
                        <Anchor href={rowPath(face.type, type.id)}>{type.name}</Anchor>
                        {type.isCritical && (
                          <Text c="dimmed" fz="xs">
                            Critical: 0 makes the review 0
                          </Text>
                        )}
                      </Table.Td>
                      <Table.Td>{usedForNames[type.usedFor]}</Table.Td>
                      <Table.Td>
                        <Group gap={4}>
                          {type.gradeIds.map((id) => {
                            const grade = grades?.items.find((one) => one.id === id)
                            return (
                              grade && <TagChip key={id} name={`${grade.name} ${grade.value}`} colour={grade.colour} />
                            )
                          })}
                        </Group>
                      </Table.Td>
                      <Table.Td ta="right" className="num">
                        {all ? `${Math.round((100 * type.weight) / all)} %` : '–'}
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          )}
        </Section>
        <Text c="dimmed" fz="xs">
          Shares are of all types in use. A review of a chat omits types for tickets, and N/A excludes the weight of its
          type.
        </Text>
      </Stack>
    </Screen>
  )
}
