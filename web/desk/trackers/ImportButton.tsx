import type { Face } from '@innkeeper/contract/desk/trackers/values'
import { Button, FileButton, List, Modal, Stack, Text } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { attempt } from '../../kit/api/attempt.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { counted } from '../../kit/look/format.ts'
import { apiOf, hintOf } from './api.ts'
import { words } from './faces.ts'

type Result = Awaited<ReturnType<ReturnType<typeof apiOf>['import']>>

/** Imports the CSV file of another tracker, after a dry run that shows what is left out. */
export function ImportButton({ face }: { face: Face }) {
  const api = apiOf(face)
  const reason = useReason()(api.import)
  const [text, setText] = useState('')
  const [tried, setTried] = useState<Result>()
  const { one, many } = words[face]
  const choose = async (file: File | null) => {
    if (!file) return
    const read = await file.text()
    setText(read)
    setTried(await attempt(() => api.import({ text: read, isDryRun: true }), []))
  }
  const run = async () => {
    const done = await attempt(() => api.import({ text }), [hintOf[face]])
    if (!done) return
    setTried(undefined)
    toast.success(`${counted(done.added, [one, many])} imported`)
  }
  if (reason)
    return (
      <ActButton variant="default" reason={reason} visibleFrom="sm">
        Import
      </ActButton>
    )
  return (
    <>
      <FileButton accept=".csv,text/csv,text/plain" onChange={(file) => void choose(file)}>
        {(props) => (
          <Button {...props} variant="default" leftSection={<IconUpload size={15} />} visibleFrom="sm">
            Import
          </Button>
        )}
      </FileButton>
      {tried && (
        <Modal opened onClose={() => setTried(undefined)} title={`Import ${many}`} size={560}>
          <Stack gap={12}>
            <Text>
              {counted(tried.added, [one, many])} will be added, {counted(tried.refused.length, ['line', 'lines'])} left
              out.
            </Text>
            <Report
              title="Columns"
              lines={tried.columns.map(({ heading, field }) => `${heading}: ${field ?? 'left out'}`)}
            />
            <Report title="Left out" lines={tried.refused.map(({ line, reason: why }) => `Line ${line}: ${why}`)} />
            <Report
              title="Read as ours"
              lines={tried.mapped.map(
                ({ field, value, as, lines }) => `${field} ${value} as ${as}, ${counted(lines, ['line', 'lines'])}`,
              )}
            />
            <Report
              title="Unknown values, for which the default is used"
              lines={tried.unknown.map(
                ({ field, value, lines }) => `${field} ${value}, ${counted(lines, ['line', 'lines'])}`,
              )}
            />
            <Button onClick={() => void run()} disabled={tried.added === 0}>
              Import {counted(tried.added, [one, many])}
            </Button>
          </Stack>
        </Modal>
      )}
    </>
  )
}

const Report = ({ title, lines }: { title: string; lines: string[] }) =>
  lines.length > 0 && (
    <div>
      <Text fw={500}>{title}</Text>
      <List mah={160} style={{ overflowY: 'auto' }}>
        {lines.map((line) => (
          <List.Item key={line}>{line}</List.Item>
        ))}
      </List>
    </div>
  )
