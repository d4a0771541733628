import type { FileConfig } from '@innkeeper/contract/trackers/shapes'
import { type Face, fileTypes } from '@innkeeper/contract/trackers/values'
import { Button, Group, SimpleGrid, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useReason } from '../kit/access/reasons.ts'
import { attempt } from '../kit/api/attempt.ts'
import { toast } from '../kit/dialogs/toast.ts'
import { MultiSelectField } from '../kit/form/MultiSelectField.tsx'
import { NumberField } from '../kit/form/NumberField.tsx'
import { Section } from '../kit/frame/Section.tsx'
import { ActButton } from '../kit/look/ActButton.tsx'
import { apiOf, hintOf } from './api.ts'

/** Which files may be attached. */
export function FileRules({ face }: { face: Face }) {
  const api = apiOf(face)
  const hidden = useReason()(api.fileConfig)
  const { data } = useQuery({ ...api.fileConfig.query(), enabled: !hidden })
  return data ? <Rules key={data.version} face={face} config={data} /> : null
}

function Rules({ face, config }: { face: Face; config: FileConfig }) {
  const api = apiOf(face)
  const reason = useReason()(api.updateFileConfig)
  const [maxSizeMb, setSize] = useState(config.maxSizeMb)
  const [maxFiles, setFiles] = useState(config.maxFiles)
  const [mimeTypes, setTypes] = useState<FileConfig['mimeTypes']>(config.mimeTypes)
  const save = async () => {
    const input = { maxSizeMb, maxFiles, mimeTypes, version: config.version }
    const done = await attempt(() => api.updateFileConfig(input), [hintOf[face]])
    if (done) toast.success('The rules for files are saved')
  }
  return (
    <Section title="Files" hint="Types are read from the content, not from the name">
      <Stack gap={14}>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <NumberField
            label="Largest file in MB"
            min={1}
            max={100}
            value={maxSizeMb}
            onChange={(n) => setSize(Number(n))}
          />
          <NumberField
            label="Files per item"
            min={1}
            max={200}
            value={maxFiles}
            onChange={(n) => setFiles(Number(n))}
          />
        </SimpleGrid>
        <MultiSelectField
          label="Types"
          data={[...fileTypes]}
          value={mimeTypes}
          onChange={(next) => setTypes(fileTypes.filter((type) => next.includes(type)))}
        />
        <Group justify="flex-end">
          {reason ? (
            <ActButton reason={reason}>Save</ActButton>
          ) : (
            <Button disabled={mimeTypes.length === 0} onClick={() => void save()}>
              Save
            </Button>
          )}
        </Group>
      </Stack>
    </Section>
  )
}
