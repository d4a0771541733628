import { type DayOrder, type Face, MOST_IMPORT_TEXT } from '@innkeeper/contract/desk/trackers/values'
import { Button, FileButton, List, Modal, Select, Stack, Text } from '@mantine/core'
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
  const [dayOrder, setDayOrder] = useState<DayOrder>()
  const [asksOrder, setAsksOrder] = useState(false)
  const attemptDry = async (read: string, order?: DayOrder) => {
    const answer = await attempt(
      () => api.import({ text: read, isDryRun: true, ...(order && { dayOrder: order }) }),
      [],
    )
    if (answer?.refused.some(({ reason: why }) => why.endsWith('comes first'))) setAsksOrder(true)
    if (answer) setTried(answer)
  }
  const choose = async (file: File | null) => {
    if (!file) return
    const read = textOf(await file.arrayBuffer())
    if (read.length > MOST_IMPORT_TEXT) {
      toast.error(`${file.name} has ${read.length} characters, more than ${MOST_IMPORT_TEXT}: import the file in parts`)
      return
    }
    setText(read)
    setDayOrder(undefined)
    setAsksOrder(false)
    await attemptDry(read)
  }
  const run = async () => {
    const done = await attempt(() => api.import({ text, ...(dayOrder && { dayOrder }) }), [hintOf[face]])
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
              {counted(tried.added, [one, many])} will be added, {counted(tried.leftOut, ['line', 'lines'])} left out.
            </Text>
            {asksOrder && (
              <Select
                label="Days such as 03/04/2026"
                placeholder="Choose"
                data={[
                  { value: 'day-first', label: 'The day comes first: 3 April' },
                  { value: 'month-first', label: 'The month comes first: 4 March' },
                ]}
                value={dayOrder ?? null}
                onChange={(chosen) => {
                  const order = chosen === 'day-first' || chosen === 'month-first' ? chosen : undefined
                  setDayOrder(order)
                  void attemptDry(text, order)
                }}
              />
            )}
            <Report
              title="Columns"
              lines={tried.columns.map(({ heading, field }) => `${heading}: ${field ?? 'left out'}`)}
            />
            <Report
              title="Left out"
              lines={[
                ...tried.refused.map(({ line, reason: why }) => `Line ${line}: ${why}`),
                ...(tried.leftOut > tried.refused.length ? [`and ${tried.leftOut - tried.refused.length} more`] : []),
              ]}
            />
            <Report
              title="Longer than their field: the rest is in the description or a comment"
              lines={tried.continued.map(({ field, lines }) => `${field}, ${counted(lines, ['line', 'lines'])}`)}
            />
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

/** Text of a file in UTF-8, or in the encoding of Excel on Windows. */
function textOf(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
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
