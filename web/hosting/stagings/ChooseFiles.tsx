import type { Differences } from '@innkeeper/contract/hosting/stagings/shapes'
import { Radio, Stack, Text } from '@mantine/core'
import { useMemo } from 'react'
import { bytes, count, counted } from '../../kit/look/format.ts'
import type { Chosen } from './chosen.ts'
import { PathRow } from './PathRow.tsx'
import css from './paths.module.css'
import { treeOf } from './pathTree.ts'

interface Props {
  differences: Differences
  chosen: Chosen
  setChosen: (chosen: Chosen) => void
}

/** Chooses all files, none, or differing ones by folder. */
export function ChooseFiles({ differences, chosen, setChosen }: Props) {
  const { added, changed, gone, files } = differences
  const tree = useMemo(() => treeOf(files), [files])
  const total = added + changed + gone
  return (
    <Stack gap={8}>
      <Radio.Group
        label="Files"
        description={total ? summary(differences) : 'The copy has the same files as the website.'}
        value={chosen.files}
        // the values of the options below
        onChange={(value) => setChosen({ ...chosen, files: value as Chosen['files'] })}
      >
        <Stack gap={6} mt={8}>
          <Radio
            value="all"
            label="All of them"
            description="The whole folder changes places with the copy’s. The website keeps its own configuration of the database."
          />
          <Radio
            value="some"
            label="Chosen files and folders"
            description="Nothing else in its folder is touched."
            disabled={total === 0}
          />
          <Radio value="none" label="None" />
        </Stack>
      </Radio.Group>
      {chosen.files === 'some' && (
        <>
          <ul className={css.tree} aria-label="Files that differ">
            {tree.map((node) => (
              <PathRow
                key={node.path}
                node={node}
                tree={tree}
                paths={chosen.paths}
                setPaths={(paths) => setChosen({ ...chosen, paths })}
              />
            ))}
          </ul>
          {total > files.length && (
            <Text c="dimmed" fz="xs">
              The first {count(files.length)} of {count(total)}: choose a folder to take all that is in it.
            </Text>
          )}
        </>
      )}
    </Stack>
  )
}

function summary({ added, changed, gone, files }: Differences): string {
  const coming = files.reduce((sum, file) => sum + file.bytes, 0)
  const parts = [
    added && counted(added, ['new file', 'new files']),
    changed && counted(changed, ['other file', 'other files']),
    gone && `${counted(gone, ['file', 'files'])} that the copy does not have`,
  ].filter(Boolean)
  return `${parts.join(', ')}; ${bytes(coming)} would come.`
}
