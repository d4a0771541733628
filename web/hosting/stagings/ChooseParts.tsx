import type { LiveChanges } from '@innkeeper/contract/hosting/stagings/shapes'
import { Checkbox, Stack, Text } from '@mantine/core'
import { ChooseFiles } from './ChooseFiles.tsx'
import type { Chosen } from './chosen.ts'

interface Props {
  changes: LiveChanges
  chosen: Chosen
  setChosen: (chosen: Chosen) => void
}

/** Chooses the files and tables to merge; all others stay as on the live website. */
export function ChooseParts({ changes: { choices, differences }, chosen, setChosen }: Props) {
  const take = (databaseId: number, tables: string[]) =>
    setChosen({ ...chosen, tables: { ...chosen.tables, [databaseId]: tables } })
  return (
    <Stack gap={14}>
      <ChooseFiles differences={differences} chosen={chosen} setChosen={setChosen} />
      {choices.map(({ databaseId, database, tables }) => {
        const taken = chosen.tables[databaseId] ?? tables
        return (
          <Stack key={databaseId} gap={6} role="group" aria-label={database}>
            <Checkbox
              label={`All of ${database}, with its views and routines`}
              checked={taken.length === tables.length}
              indeterminate={taken.length > 0 && taken.length < tables.length}
              onChange={(event) => take(databaseId, event.currentTarget.checked ? tables : [])}
            />
            {tables.map((table) => (
              <Checkbox
                key={table}
                ml={24}
                size="xs"
                label={table}
                checked={taken.includes(table)}
                onChange={(event) =>
                  take(
                    databaseId,
                    tables.filter((one) => (one === table ? event.currentTarget.checked : taken.includes(one))),
                  )
                }
              />
            ))}
          </Stack>
        )
      })}
      <Text c="dimmed" fz="xs">
        A snapshot of the live website is kept first, so that the merge can be undone. While tables are replaced,
        visitors read “Back in a moment”.
      </Text>
    </Stack>
  )
}
